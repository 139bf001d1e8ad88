import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { InjectOptions, Response } from 'light-my-request';
import { pino } from 'pino';
import { parseSettings, type Environment } from '../../../libs/application/settings.js';
import type { TokenClaims } from '../../../libs/eventsourcing/access-token.port.js';
import { manualClock, type ManualClock } from '../../../libs/eventsourcing/testing/manual-clock.js';
import { createApi, type ApiOptions } from '../api.js';
import { fakeApplication, type FakeApplication } from './fake-application.js';

export const TENANT = '0190a000-0000-7000-8000-00000000000a';
export const OTHER_TENANT = '0190a000-0000-7000-8000-00000000000b';
export const PET_ID = '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60';
export const ORDER_ID = '0190a6b3-1d2f-7b45-8c1a-4e2b6d3f5a71';

/** Tokens known by name: `staff`, `ann`, … */
const TOKENS: Readonly<Record<string, TokenClaims>> = {
  staff: { subject: 'staff', scopes: new Set(['write:pets', 'write:orders']) },
  ann: { subject: 'ann', scopes: new Set(['read:pets']) },
  bound: { subject: 'bound', scopes: new Set(['write:pets']), tenant: TENANT },
  ops: { subject: 'ops', scopes: new Set(['ops']) },
};

export type RunningApi = {
  readonly app: NestFastifyApplication;
  readonly application: FakeApplication;
  readonly clock: ManualClock;
  readonly logged: string[];
  inject(options: InjectOptions): Promise<Response>;
};

/** The HTTP side on a fake application, ready for `inject`; call `app.close()` afterwards. */
export const runningApi = async (env: Environment = {}, options: Partial<ApiOptions> = {}): Promise<RunningApi> => {
  const application = fakeApplication();
  const clock = manualClock('2026-01-02T03:04:00Z');
  const logged: string[] = [];
  let made = 0;
  const settings = parseSettings({ PUBLIC_URL: 'https://pets.test', ...env });
  const app = await createApi({
    settings,
    module: application.module,
    tokens: { verify: (token) => TOKENS[token] ?? null },
    health: [],
    logger: pino({ level: settings.logLevel }, { write: (line: string) => void logged.push(line) }),
    clock,
    ids: { next: () => `request-${++made}`, derived: () => '' },
    ...options,
  });
  await app.init();
  const fastify = app.getHttpAdapter().getInstance();
  await fastify.ready();
  return { app, application, clock, logged, inject: async (request) => fastify.inject(request) };
};

/** The header that sends a token. */
export const as = (name: string): { readonly authorization: string } => ({ authorization: `Bearer ${name}` });
