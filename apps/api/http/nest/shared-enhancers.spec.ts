import { afterEach, describe, expect, it } from '@jest/globals';
import { Module, Scope, type DynamicModule, type MiddlewareConsumer, type Provider } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { pino } from 'pino';
import { manualClock } from '../../../../libs/eventsourcing/testing/manual-clock.js';
import { parseSettings } from '../../../../libs/settings/settings.js';
import { createApi } from '../../api.js';
import { fakeApplication } from '../../testing/fake-application.fixtures.js';
import { AuditInterceptor, OwnerGuard, TeapotFilter, TrimPipe } from './enhancers.fixtures.js';

let app: NestFastifyApplication | undefined;
afterEach(() => app?.close().then(() => (app = undefined)));

const createApplication = async (change: Partial<DynamicModule> = {}): Promise<NestFastifyApplication> => {
  const { module } = fakeApplication();
  return createApi({
    settings: parseSettings({ PUBLIC_URL: 'https://pets.test' }),
    module: { ...module, ...change, providers: [...(module.providers ?? []), ...(change.providers ?? [])] },
    tokens: { verify: () => null, sign: async () => '', issuer: () => '', readIdToken: async () => null },
    health: [],
    logger: pino({ level: 'silent' }),
    clock: manualClock('2026-01-02T03:04:00Z'),
    ids: { next: () => 'request-1', derived: () => '' },
  });
};

/** Returns the message of the startup error, or null if the application starts. */
const startupError = async (
  change: Partial<DynamicModule>,
  prepare: (app: NestFastifyApplication) => unknown = () => undefined,
): Promise<string | null> => {
  try {
    app = await createApplication(change);
    prepare(app);
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('a Nest application', () => {
  it.each<[string, Provider, RegExp]>([
    [
      'APP_GUARD',
      { provide: APP_GUARD, useClass: OwnerGuard },
      /^The Nest application has the guard OwnerGuard .*never run.*access in @Operation/,
    ],
    [
      'APP_GUARD by a factory',
      { provide: APP_GUARD, useFactory: () => new OwnerGuard() },
      /^The Nest application has the guard OwnerGuard /,
    ],
    [
      'APP_GUARD for each request',
      { provide: APP_GUARD, useClass: OwnerGuard, scope: Scope.REQUEST },
      /^The Nest application has the guard OwnerGuard /,
    ],
    ['APP_PIPE', { provide: APP_PIPE, useClass: TrimPipe }, /^The Nest application has the pipe TrimPipe /],
    [
      'APP_INTERCEPTOR',
      { provide: APP_INTERCEPTOR, useClass: AuditInterceptor },
      /^The Nest application has the interceptor AuditInterceptor /,
    ],
    ['APP_FILTER', { provide: APP_FILTER, useClass: TeapotFilter }, /^The Nest application has the filter TeapotFilter /],
  ])('does not start with an enhancer for all controllers from the provider %s', async (_, provider, message) =>
    expect(await startupError({ providers: [provider] })).toMatch(message),
  );

  it.each<[string, (app: NestFastifyApplication) => unknown, RegExp]>([
    ['useGlobalGuards', (it) => it.useGlobalGuards(new OwnerGuard()), /^The Nest application has the guard OwnerGuard /],
    ['useGlobalPipes', (it) => it.useGlobalPipes(new TrimPipe()), /^The Nest application has the pipe TrimPipe /],
    [
      'useGlobalInterceptors',
      (it) => it.useGlobalInterceptors(new AuditInterceptor()),
      /^The Nest application has the interceptor AuditInterceptor /,
    ],
    ['useGlobalFilters', (it) => it.useGlobalFilters(new TeapotFilter()), /^The Nest application has the filter TeapotFilter /],
    ['enableVersioning', (it) => it.enableVersioning(), /^The Nest application has versions of routes, /],
    ['setGlobalPrefix', (it) => it.setGlobalPrefix('api'), /^The Nest application has a global prefix, /],
    ['use', (it) => it.use(() => undefined), /^The Nest application has middleware, .*prepareServer/],
  ])('does not start after a call of %s', async (_, prepare, message) => expect(await startupError({}, prepare)).toMatch(message));

  it('does not start with a module that configures middleware', async () => {
    @Module({})
    class AuditModule {
      configure(consumer: MiddlewareConsumer): void {
        consumer.apply(() => undefined).forRoutes('*');
      }
    }
    expect(await startupError({ imports: [AuditModule] })).toMatch(/^The Nest application has middleware of AuditModule, .*prepareServer/);
  });

  it('does not listen after a guard was added to the initialized application', async () => {
    app = await createApplication();
    await app.init();
    app.useGlobalGuards(new OwnerGuard());
    await expect(app.listen(0, '127.0.0.1')).rejects.toThrow('OwnerGuard');
  });

  it('starts if the only enhancer is its problem filter', async () => expect(await startupError({})).toBeNull());
});
