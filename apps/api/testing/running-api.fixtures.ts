import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse as Response } from 'fastify';
import { pino } from 'pino';
import { parseSettings, type Environment } from '../../../libs/settings/settings.js';
import type { TokenClaims } from '../../../libs/ports/access-token.port.js';
import { manualClock, type ManualClock } from '../../../libs/eventsourcing/testing/manual-clock.js';
import type { ProblemBody } from '../http/problems/problem.js';
import { createApi, type ApiOptions } from '../api.js';
import { fakeApplication, type FakeApplication } from './fake-application.fixtures.js';

export const TENANT = '0190a000-0000-7000-8000-00000000000a';
export const OTHER_TENANT = '0190a000-0000-7000-8000-00000000000b';
export const PET_ID = '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60';
export const ORDER_ID = '0190a6b3-1d2f-7b45-8c1a-4e2b6d3f5a71';

/** The claims of the test tokens. The text of a token is the name of its caller. */
const TOKENS: Readonly<Record<string, TokenClaims>> = {
  staff: { subject: 'staff', scopes: new Set(['write:pets', 'write:orders', 'write:webhooks']) },
  ann: { subject: 'ann', scopes: new Set(['read:pets']) },
  bound: { subject: 'bound', scopes: new Set(['write:pets']), tenant: TENANT },
  ops: { subject: 'ops', scopes: new Set(['ops']) },
  reader: { subject: 'reader', scopes: new Set(['audit:read']) },
  auditor: { subject: 'auditor', scopes: new Set(['audit:read', 'ops']) },
  auditor2: { subject: 'auditor2', scopes: new Set(['audit:read', 'ops']) },
  auditor3: { subject: 'auditor3', scopes: new Set(['audit:read', 'ops']) },
};

export type RunningApi = {
  readonly app: NestFastifyApplication;
  readonly application: FakeApplication;
  readonly clock: ManualClock;
  readonly logged: string[];
  /** Returns every route of Fastify without HEAD, such as `GET /v1/pets/{id}`. */
  readonly routes: () => readonly string[];
  readonly inject: (options: InjectOptions) => Promise<Response>;
};

/** Starts the HTTP interface of a fake application, without a port. Call `app.close()` afterwards. */
export const runningApi = async (env: Environment = {}, options: Partial<ApiOptions> = {}): Promise<RunningApi> => {
  const created = await createdApi(env, options);
  const { app } = created;
  await app.init();
  const fastify = app.getHttpAdapter().getInstance();
  await fastify.ready();
  return { ...created, routes: () => routesOf(fastify), inject: async (request) => fastify.inject(request) };
};

/** Creates the HTTP interface of a fake application. Nest has not initialized it yet. */
export const createdApi = async (
  env: Environment = {},
  options: Partial<ApiOptions> = {},
): Promise<Omit<RunningApi, 'routes' | 'inject'>> => {
  const clock = manualClock('2026-01-02T03:04:00Z');
  const application = fakeApplication(clock);
  const logged: string[] = [];
  let made = 0;
  const settings = parseSettings({ PUBLIC_URL: 'https://pets.test', ...env });
  const app = await createApi({
    settings,
    module: application.module,
    tokens: {
      verify: (token) => TOKENS[token] ?? null,
      sign: async ({ subject }) => subject,
      issuer: () => 'petstore',
      readIdToken: async () => null,
    },
    health: [],
    logger: pino({ level: settings.logLevel }, { write: (line: string) => void logged.push(line) }),
    clock,
    ids: { next: () => `request-${++made}`, derived: () => '' },
    ...options,
  });
  return { app, application, clock, logged };
};

/** Reads the routes from Fastify's router, because the service's own table of routes may differ. */
const routesOf = (fastify: FastifyInstance): readonly string[] => {
  const printed = fastify.printRoutes({ commonPrefix: false });
  const ancestors: string[] = [];
  return printed.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods = ''] = /^([│ ]*)[├└]── (\S+)(?: \(([^)]*)\))?/.exec(line) ?? [];
    if (part === '') return [];
    const depth = indent.length / 4;
    ancestors.length = depth;
    const path = ancestors.join('') + part;
    ancestors.push(part);
    return methods.split(', ').flatMap((method) => (method && method !== 'HEAD' ? [`${method} ${path.replace(/:(\w+)/g, '{$1}')}`] : []));
  });
};

/** Returns the problem of a response. */
const problemIn = (response: Response): ProblemBody => response.json<ProblemBody>();

/** Returns the kind of the problem in a response. */
export const kindOf = (response: Response): string => problemIn(response).type.replace('https://pets.test/errors/', '');

/** Returns the invalid fields of the problem in a response, each with its code, in alphabetical order. */
export const faultsIn = (response: Response): readonly string[] =>
  (problemIn(response).errors ?? []).map(({ field, code }) => `${field} ${code}`).sort();

/** Returns an Authorization header with the test token of this name. */
export const as = (name: string): { readonly authorization: string } => ({ authorization: `Bearer ${name}` });
