import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { rejectMiddleware } from './enhancers.js';

/**
 * Nest on the service's own Fastify instance. The standard adapter adds seven hooks for middleware, versions
 * and settings that the service does not use. Every request would pay for them.
 */
export class ApiAdapter extends FastifyAdapter {
  constructor(fastify: FastifyInstance) {
    const withoutHooks = new Proxy(fastify, {
      get: (target, name): unknown => (name === 'addHook' ? () => target : Reflect.get(target, name)),
    });
    super(withoutHooks as never);
    this.setInstance(fastify as never);
  }

  /** The standard adapter prepares Express middleware here. The service has none. */
  override async init(): Promise<void> {}

  override use(): never {
    return rejectMiddleware();
  }
}
