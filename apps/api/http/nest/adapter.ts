import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { refuseMiddleware } from './enhancers.js';

/**
 * Nest on our own Fastify instance. The stock adapter hangs up seven hooks, for middleware, versions and settings
 * that nothing here uses; every request would pay for each of them.
 */
export class ApiAdapter extends FastifyAdapter {
  constructor(fastify: FastifyInstance) {
    const deaf = new Proxy(fastify, { get: (target, name): unknown => (name === 'addHook' ? () => target : Reflect.get(target, name)) });
    super(deaf as never);
    this.setInstance(fastify as never);
  }

  /** The stock adapter makes room for Express middleware here. There is none. */
  override async init(): Promise<void> {}

  override use(): never {
    return refuseMiddleware();
  }
}
