import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { rejectMiddleware } from './enhancers.js';

/**
 * Runs Nest on an existing Fastify instance, without the seven hooks of Nest's
 * own adapter. Every request would run these hooks, but they only serve Nest
 * features that the service does not use, such as middleware and versioning.
 */
export class ApiAdapter extends FastifyAdapter {
  constructor(fastify: FastifyInstance) {
    // The constructor of Nest's adapter adds its hooks to this proxy, which ignores them.
    const withoutHooks = new Proxy(fastify, {
      get: (target, name): unknown => (name === 'addHook' ? () => target : Reflect.get(target, name)),
    });
    super(withoutHooks as never);
    this.setInstance(fastify as never);
  }

  /** Nest's own adapter prepares Express middleware here. The service has none. */
  override async init(): Promise<void> {}

  override use(): never {
    return rejectMiddleware();
  }
}
