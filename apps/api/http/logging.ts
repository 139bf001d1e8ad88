import type { LoggerService } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { pathOf } from './problem-answers.js';

/** One line a request at debug, never with headers, query or body: "secrets redacted" begins with not writing them down. */
export const logRequests = (fastify: FastifyInstance, logger: Logger): void => {
  if (!logger.isLevelEnabled('debug')) return;
  fastify.addHook('onResponse', (request, reply, done) => {
    const { id: requestId, method, call } = request;
    const who = call ? { tenant: call.tenant, actor: call.caller?.subject ?? 'anonymous' } : {};
    logger.debug(
      { requestId, method, path: pathOf(request), status: reply.statusCode, milliseconds: Math.round(reply.elapsedTime), ...who },
      'request',
    );
    done();
  });
};

/** Nest's own words, at a level where they do not bury ours. */
export const nestLogger = (logger: Logger): LoggerService => ({
  log: (message: unknown) => logger.debug({ from: 'nest' }, String(message)),
  warn: (message: unknown) => logger.warn({ from: 'nest' }, String(message)),
  error: (message: unknown, ...detail: unknown[]) => {
    // What its application says here it throws as well: whoever started it tells that, in better words.
    if (detail.at(-1) === 'NestApplication') return;
    logger.error({ from: 'nest', detail: detail.filter((part) => part !== undefined).map(String) }, String(message));
  },
});
