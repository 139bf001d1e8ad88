import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

/**
 * Runs Nest on an existing Fastify server, without the seven hooks that the constructor of Nest's adapter adds, and without the
 * hook of middleware while there is none. They serve what Nest can turn on later (CORS, versions, security headers); every request
 * would run them, and reading a pet would take 8 % more processor time (`npm run bench -- compare`).
 */
export class ApiAdapter extends FastifyAdapter {
  private hasMiddleware = false;

  constructor(server: FastifyInstance) {
    super({ server: server.server, addHook: () => undefined } as never);
    this.setInstance(server as never);
  }

  override use(...args: readonly unknown[]): unknown {
    this.hasMiddleware = true;
    return super.use(...(args as never[])) as unknown;
  }

  /** Nest calls this when it creates the application and when it initializes it. Modules with middleware register the hook themselves. */
  override async init(): Promise<void> {
    if (this.hasMiddleware) await super.init();
  }
}
