import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

/**
 * Nest on our own Fastify instance. The stock adapter hangs up seven hooks, for middleware, versions and settings
 * that nothing here uses; every request would pay for each of them.
 */
export class ApiAdapter extends FastifyAdapter {
  constructor(fastify: FastifyInstance) {
    const { addHook } = fastify;
    fastify.addHook = (() => fastify) as unknown as typeof addHook;
    super(fastify as never);
    fastify.addHook = addHook;
  }

  /** The stock adapter makes room for Express middleware here. There is none. */
  override async init(): Promise<void> {}
}
