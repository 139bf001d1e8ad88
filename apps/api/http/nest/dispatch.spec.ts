import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Body,
  Controller,
  ForbiddenException,
  Injectable,
  Module,
  Param,
  Query,
  RequestTimeoutException,
  ServiceUnavailableException,
  UnauthorizedException,
  UseGuards,
  type CallHandler,
  type CanActivate,
  type DynamicModule,
  type ExecutionContext,
  type MiddlewareConsumer,
  type NestInterceptor,
  type PipeTransform,
  type Provider,
} from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import { NEVER, tap, throwError, timeout } from 'rxjs';
import { fakeApplication } from '../../testing/fake-application.fixtures.js';
import { answerPets, LUNA, PET } from '../../testing/pets-api.fixtures.js';
import { createdApi, kindOf, PET_ID, runningApi, type RunningApi } from '../../testing/running-api.fixtures.js';
import { PetRequest } from '../../pets/pet.dto.js';
import { PUBLIC } from '../admission/access.js';
import type { OperationRequest } from '../call.js';
import type { OperationRecord } from '../operation.js';
import { shapeOf } from '../validation/shape.js';
import { Operation } from './operation.decorator.js';

let api: RunningApi | undefined;
afterEach(() => api?.app.close().then(() => (api = undefined)));

/** Starts the HTTP interface with more providers and modules, as an application that uses Nest has them. */
const given = async (providers: readonly Provider[], imports: NonNullable<DynamicModule['imports']> = []): Promise<RunningApi> => {
  const application = fakeApplication();
  const module = { ...application.module, imports, providers: [...(application.module.providers ?? []), ...providers] };
  api = { ...(await runningApi({}, { module })), application };
  answerPets(api);
  return api;
};

const NAME_PET = {
  id: 'namePet',
  method: 'POST',
  path: '/v1/named-pets/{id}',
  access: PUBLIC,
  tag: 'Pets',
  summary: 'Name a pet',
  description: '',
  body: shapeOf(PetRequest),
  success: { status: 200, description: 'The name' },
  problems: [],
} as const satisfies OperationRecord;

describe('a guard', () => {
  class Refusing implements CanActivate {
    canActivate = (): boolean => false;
  }
  class SignedIn implements CanActivate {
    canActivate(): boolean {
      throw new UnauthorizedException('Sign in first.');
    }
  }

  it('of the application refuses operations, after their validation', async () => {
    const { inject } = await given([{ provide: APP_GUARD, useClass: Refusing }]);
    expect(kindOf(await inject({ url: PET }))).toBe('forbidden');
    expect(kindOf(await inject({ url: '/v1/pets/nonsense' }))).toBe('invalid-request');
  });

  it('says by an exception why it refuses', async () => {
    const { inject } = await given([{ provide: APP_GUARD, useClass: SignedIn }]);
    const response = await inject({ url: PET });
    expect([response.statusCode, response.json(), response.headers['www-authenticate']]).toEqual([
      401,
      expect.objectContaining({ detail: 'Sign in first.' }),
      'Bearer',
    ]);
  });

  it('of a class or a method runs, and may inject', async () => {
    @Injectable()
    class Refusals {
      readonly reason = 'Not today.';
    }
    @Injectable()
    class Explaining implements CanActivate {
      constructor(private readonly refusals: Refusals) {}
      canActivate(): boolean {
        throw new ForbiddenException(this.refusals.reason);
      }
    }
    @Controller()
    class NamesController {
      @UseGuards(Explaining)
      @Operation(NAME_PET)
      async name(_: OperationRequest<{ body: PetRequest }>): Promise<void> {}
    }
    @Module({ controllers: [NamesController], providers: [Refusals] })
    class NamesModule {}
    const { inject } = await given([], [NamesModule]);
    const response = await inject({ method: 'POST', url: `/v1/named-pets/${PET_ID}`, payload: LUNA });
    expect([response.statusCode, response.json()]).toEqual([403, expect.objectContaining({ detail: 'Not today.' })]);
  });
});

describe('an interceptor of the application', () => {
  const intercepted = (intercept: NestInterceptor['intercept']) => given([{ provide: APP_INTERCEPTOR, useValue: { intercept } }]);

  it('refuses', async () => {
    const { inject } = await intercepted(() => throwError(() => new ServiceUnavailableException('Closed on Sundays.')));
    const response = await inject({ url: PET });
    expect([response.statusCode, response.json()]).toEqual([503, expect.objectContaining({ detail: 'Closed on Sundays.' })]);
  });

  it('measures a handler, and does not map its answer', async () => {
    const ended: string[] = [];
    const { inject } = await intercepted((context: ExecutionContext, next: CallHandler) =>
      next.handle().pipe(tap({ complete: () => ended.push(context.getHandler().name) })),
    );
    const response = await inject({ url: PET });
    expect([response.statusCode, response.json(), ended]).toEqual([200, { id: PET_ID, name: 'Luna' }, ['get']]);
  });

  it('ends a handler that takes too long', async () => {
    const { inject } = await intercepted(() =>
      NEVER.pipe(timeout({ first: 1, with: () => throwError(() => new RequestTimeoutException('Too slow.')) })),
    );
    expect((await inject({ url: PET })).statusCode).toBe(408);
  });
});

describe('a parameter of an operation', () => {
  class Loud implements PipeTransform {
    transform = (value: unknown): unknown => (typeof value === 'string' ? `${value}!` : value);
  }
  const received: unknown[] = [];
  @Controller()
  class NamesController {
    @Operation(NAME_PET)
    async name(
      { call }: OperationRequest<{ body: PetRequest }>,
      reply: FastifyReply,
      @Param('id') id: string,
      @Body() body: PetRequest,
      @Body('name', Loud) name: string,
      @Query() query: object,
    ): Promise<void> {
      received.push(id, body === call.body, name, query);
      await reply.send('named');
    }
  }
  @Module({ controllers: [NamesController] })
  class NamesModule {}

  it('gets the validated value in its canonical form, through its pipe', async () => {
    const { inject } = await given([], [NamesModule]);
    const url = `/v1/named-pets/${PET_ID.toUpperCase()}`;
    const response = await inject({ method: 'POST', url, payload: LUNA });
    expect([response.statusCode, response.body, received]).toEqual([200, 'named', [PET_ID, true, 'Luna!', {}]]);
  });

  it('goes through the pipes of the application', async () => {
    const seen: unknown[] = [];
    const transform = (value: unknown): unknown => (seen.push(value), value);
    const { inject } = await given([{ provide: APP_PIPE, useValue: { transform } }], [NamesModule]);
    await inject({ method: 'POST', url: `/v1/named-pets/${PET_ID}`, payload: LUNA });
    expect(seen).toContain(PET_ID);
  });
});

describe('middleware', () => {
  const paths: string[] = [];
  const note = ({ originalUrl }: { readonly originalUrl: string }, _: unknown, next: () => void): void => {
    paths.push(originalUrl);
    next();
  };
  @Module({})
  class NotingModule {
    configure(consumer: MiddlewareConsumer): void {
      consumer.apply(note).forRoutes('*path');
    }
  }

  it('runs before an operation, but never for a request that the perimeter refuses', async () => {
    paths.length = 0;
    const { inject } = await given([], [NotingModule]);
    expect((await inject({ url: PET })).statusCode).toBe(200);
    expect((await inject({ url: '/v1/nope' })).statusCode).toBe(404);
    expect((await inject({ url: '/v1/pets/%zz' })).statusCode).toBe(400);
    expect(paths).toEqual([PET]);
  });

  it('may be added to the application by a call', async () => {
    paths.length = 0;
    const { app } = await createdApi();
    app.use(note);
    await app.init();
    await app.getHttpAdapter().getInstance().inject({ url: '/docs' });
    expect(paths).toEqual(['/docs']);
    await app.close();
  });
});
