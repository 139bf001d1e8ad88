import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Body,
  Catch,
  Controller,
  createParamDecorator,
  Get,
  Header,
  HttpCode,
  Module,
  Param,
  ParseUUIDPipe,
  Query,
  Scope,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type CallHandler,
  type CanActivate,
  type DynamicModule,
  type ExceptionFilter,
  type ExecutionContext,
  type MiddlewareConsumer,
  type NestInterceptor,
  type PipeTransform,
  type Provider,
  type Type,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { pino } from 'pino';
import { parseSettings } from '../../../../libs/settings/settings.js';
import { manualClock } from '../../../../libs/eventsourcing/testing/manual-clock.js';
import { createApi } from '../../api.js';
import { fakeApplication } from '../../testing/fake-application.fixtures.js';
import { Operation, operationHandlers } from './operation.decorator.js';

class OwnerGuard implements CanActivate {
  canActivate = (): boolean => false;
}
class AuditInterceptor implements NestInterceptor {
  intercept = (_: ExecutionContext, next: CallHandler) => next.handle();
}
class TrimPipe implements PipeTransform {
  transform = (value: unknown): unknown => value;
}
@Catch()
class TeapotFilter implements ExceptionFilter {
  catch(): void {}
}
const Caller = createParamDecorator(() => 'ann');

/** The message with which a controller is refused; null when it is not. */
const refusalOf = (controller: Type<object>): string | null => {
  try {
    operationHandlers([controller], () => new controller());
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('a controller of operations that asks for what only Nest’s own dispatch has', () => {
  it.each<[string, () => Type<object>, RegExp]>([
    [
      'a guard on the class',
      () => {
        @UseGuards(OwnerGuard)
        @Controller()
        class Pets {
          @Operation('getPet')
          async get(): Promise<void> {}
        }
        return Pets;
      },
      /^Pets has the guard OwnerGuard, .*never run.*access of its record/,
    ],
    [
      'a guard on a class that it extends',
      () => {
        @UseGuards(new OwnerGuard())
        class Owned {}
        @Controller()
        class Pets extends Owned {
          @Operation('getPet')
          async get(): Promise<void> {}
        }
        return Pets;
      },
      /^Pets has the guard OwnerGuard, /,
    ],
    [
      'a guard on the method',
      () => {
        @Controller()
        class Pets {
          @Operation('getPet')
          @UseGuards(OwnerGuard)
          async get(): Promise<void> {}
        }
        return Pets;
      },
      /^Pets\.get has the guard OwnerGuard, .*access of its record/,
    ],
    [
      'an interceptor on the class',
      () => {
        @UseInterceptors(AuditInterceptor)
        @Controller()
        class Pets {
          @Operation('getPet')
          async get(): Promise<void> {}
        }
        return Pets;
      },
      /^Pets has the interceptor AuditInterceptor, /,
    ],
    [
      'an interceptor on the method',
      () => {
        @Controller()
        class Pets {
          @UseInterceptors(AuditInterceptor)
          @Operation('getPet')
          async get(): Promise<void> {}
        }
        return Pets;
      },
      /^Pets\.get has the interceptor AuditInterceptor, .*apps\/api\/api\.ts/,
    ],
    [
      'a pipe on the class',
      () => {
        @UsePipes(TrimPipe)
        @Controller()
        class Pets {
          @Operation('getPet')
          async get(): Promise<void> {}
        }
        return Pets;
      },
      /^Pets has the pipe TrimPipe, /,
    ],
    [
      'a pipe on the method',
      () => {
        @Controller()
        class Pets {
          @Operation('getPet')
          @UsePipes(new TrimPipe())
          async get(): Promise<void> {}
        }
        return Pets;
      },
      /^Pets\.get has the pipe TrimPipe, .*validation\/rules\.ts/,
    ],
    [
      'a filter on the class',
      () => {
        @UseFilters(TeapotFilter)
        @Controller()
        class Pets {
          @Operation('getPet')
          async get(): Promise<void> {}
        }
        return Pets;
      },
      /^Pets has the filter TeapotFilter, /,
    ],
    [
      'a filter on the method',
      () => {
        @Controller()
        class Pets {
          @Operation('getPet')
          @UseFilters(TeapotFilter)
          async get(): Promise<void> {}
        }
        return Pets;
      },
      /^Pets\.get has the filter TeapotFilter, .*failures\.ts/,
    ],
    [
      '@Body()',
      () => {
        @Controller()
        class Pets {
          @Operation('createPet')
          async create(@Body() _body: unknown): Promise<void> {}
        }
        return Pets;
      },
      /^Pets\.create has the parameter decorator @Body\(\), .*request\.call/,
    ],
    [
      '@Param() with a pipe',
      () => {
        @Controller()
        class Pets {
          @Operation('getPet')
          async get(_request: unknown, @Param('id', ParseUUIDPipe) _id: string): Promise<void> {}
        }
        return Pets;
      },
      /^Pets\.get has the parameter decorator @Param\(\), /,
    ],
    [
      '@Query()',
      () => {
        @Controller()
        class Pets {
          @Operation('listPets')
          async list(@Query('page', TrimPipe) _page: number): Promise<void> {}
        }
        return Pets;
      },
      /^Pets\.list has the parameter decorator @Query\(\), /,
    ],
    [
      'a parameter decorator of one’s own',
      () => {
        @Controller()
        class Pets {
          @Operation('getPet')
          async get(@Caller() _caller: string): Promise<void> {}
        }
        return Pets;
      },
      /^Pets\.get has a parameter decorator of its own, /,
    ],
    [
      '@HttpCode()',
      () => {
        @Controller()
        class Pets {
          @Operation('getPet')
          @HttpCode(418)
          async get(): Promise<void> {}
        }
        return Pets;
      },
      /^Pets\.get has @HttpCode\(\), .*reply/,
    ],
    [
      '@Header()',
      () => {
        @Controller()
        class Pets {
          @Operation('getPet')
          @Header('x-tea', 'pot')
          async get(): Promise<void> {}
        }
        return Pets;
      },
      /^Pets\.get has @Header\(\), /,
    ],
    [
      'a host of its own',
      () => {
        @Controller({ host: 'pets.example.com' })
        class Pets {
          @Operation('getPet')
          async get(): Promise<void> {}
        }
        return Pets;
      },
      /^Pets has a host, /,
    ],
    [
      'a scope of its own',
      () => {
        @Controller({ scope: Scope.REQUEST })
        class Pets {
          @Operation('getPet')
          async get(): Promise<void> {}
        }
        return Pets;
      },
      /^Pets has a scope, /,
    ],
  ])('is refused by name for %s', (_, controller, message) => expect(refusalOf(controller())).toMatch(message));

  it('may have all of that on methods that are no operations', () => {
    @Controller()
    class Pets {
      @Operation('getPet')
      async get(): Promise<void> {}

      @Get('elsewhere')
      @UseGuards(OwnerGuard)
      elsewhere(@Query('page') page: string): string {
        return page;
      }
    }
    expect(refusalOf(Pets)).toBeNull();
  });
});

let app: NestFastifyApplication | undefined;
afterEach(() => app?.close().then(() => (app = undefined)));

const created = async (change: Partial<DynamicModule> = {}): Promise<NestFastifyApplication> => {
  const { module } = fakeApplication();
  return createApi({
    settings: parseSettings({ PUBLIC_URL: 'https://pets.test' }),
    module: { ...module, ...change, providers: [...(module.providers ?? []), ...(change.providers ?? [])] },
    tokens: { verify: () => null },
    health: [],
    logger: pino({ level: 'silent' }),
    clock: manualClock('2026-01-02T03:04:00Z'),
    ids: { next: () => 'request-1', derived: () => '' },
  });
};

/** The message with which the start is refused; null when it is not. */
const startRefused = async (
  change: Partial<DynamicModule>,
  prepare: (app: NestFastifyApplication) => unknown = () => undefined,
): Promise<string | null> => {
  try {
    app = await created(change);
    prepare(app);
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('an application with what its operations would pass by', () => {
  it.each<[string, Provider, RegExp]>([
    [
      'APP_GUARD',
      { provide: APP_GUARD, useClass: OwnerGuard },
      /^The application has the guard OwnerGuard .*never run.*access of its record/,
    ],
    ['APP_GUARD by a factory', { provide: APP_GUARD, useFactory: () => new OwnerGuard() }, /^The application has the guard OwnerGuard /],
    [
      'APP_GUARD for each request',
      { provide: APP_GUARD, useClass: OwnerGuard, scope: Scope.REQUEST },
      /^The application has the guard OwnerGuard /,
    ],
    ['APP_PIPE', { provide: APP_PIPE, useClass: TrimPipe }, /^The application has the pipe TrimPipe /],
    ['APP_INTERCEPTOR', { provide: APP_INTERCEPTOR, useClass: AuditInterceptor }, /^The application has the interceptor AuditInterceptor /],
    ['APP_FILTER', { provide: APP_FILTER, useClass: TeapotFilter }, /^The application has the filter TeapotFilter /],
  ])('does not start with %s', async (_, provider, message) => expect(await startRefused({ providers: [provider] })).toMatch(message));

  it.each<[string, (app: NestFastifyApplication) => unknown, RegExp]>([
    ['useGlobalGuards', (it) => it.useGlobalGuards(new OwnerGuard()), /^The application has the guard OwnerGuard /],
    ['useGlobalPipes', (it) => it.useGlobalPipes(new TrimPipe()), /^The application has the pipe TrimPipe /],
    [
      'useGlobalInterceptors',
      (it) => it.useGlobalInterceptors(new AuditInterceptor()),
      /^The application has the interceptor AuditInterceptor /,
    ],
    ['useGlobalFilters', (it) => it.useGlobalFilters(new TeapotFilter()), /^The application has the filter TeapotFilter /],
    ['enableVersioning', (it) => it.enableVersioning(), /^The application has versions of routes, /],
    ['setGlobalPrefix', (it) => it.setGlobalPrefix('api'), /^The application has a global prefix, /],
    ['use', (it) => it.use(() => undefined), /^The application has middleware, .*prepareServer/],
  ])('does not start after %s', async (_, prepare, message) => expect(await startRefused({}, prepare)).toMatch(message));

  it('does not start with a module that configures middleware', async () => {
    @Module({})
    class AuditModule {
      configure(consumer: MiddlewareConsumer): void {
        consumer.apply(() => undefined).forRoutes('*');
      }
    }
    expect(await startRefused({ imports: [AuditModule] })).toMatch(/^The application has middleware of AuditModule, .*prepareServer/);
  });

  it('does not listen after a guard that came once it was ready', async () => {
    app = await created();
    await app.init();
    app.useGlobalGuards(new OwnerGuard());
    await expect(app.listen(0, '127.0.0.1')).rejects.toThrow('OwnerGuard');
  });

  it('starts with its own problem filter alone', async () => expect(await startRefused({})).toBeNull());
});
