import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyServerOptions } from 'fastify';
import type { Logger } from 'pino';
import { answerClientErrors, answerConnect } from './client-errors.js';
import { toOriginForm } from './framing.js';
import { handleInOrder } from './in-turn.js';
import type { PublicAddress } from '../public-address.js';
import { limitUnread } from './unread-answers.js';
import { RequestInPieces } from './unread-bodies.js';

export type ServerLimits = {
  readonly headerBytes: number;
  readonly headersMilliseconds: number;
  readonly requestMilliseconds: number;
  readonly keepAliveMilliseconds: number;
  readonly connectionMilliseconds: number;
  readonly checkMilliseconds: number;
  readonly waitingRequests: number;
  readonly waitingBytes: number;
  readonly unreadBytes: number;
  readonly unreadCheckMilliseconds: number;
};

/** Creates the HTTP server of each listening address, with the limits and checks below Fastify. */
export const serverFactory = (
  limits: ServerLimits,
  address: PublicAddress,
  logger: Logger,
): NonNullable<FastifyServerOptions['serverFactory']> => {
  const unread = limitUnread(limits, logger);
  return (handle) => {
    const server = createServer({
      IncomingMessage: RequestInPieces,
      ServerResponse: unread.ServerResponse,
      // A request without a body gets no stream. A stream costs a tenth of a read by id.
      optimizeEmptyRequests: true,
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMilliseconds,
      requestTimeout: limits.requestMilliseconds,
      keepAliveTimeout: limits.keepAliveMilliseconds,
      connectionsCheckingInterval: limits.checkMilliseconds,
      // Node would answer without a body; perimeter.ts answers with a problem.
      requireHostHeader: false,
      shouldUpgradeCallback: () => false,
    });
    server.setTimeout(limits.connectionMilliseconds);
    // Node ignores headers beyond its default of 2,000. maxHeaderSize limits their bytes.
    server.maxHeadersCount = 0;
    const answer = handleInOrder((request, response) => {
      if (!request.url?.startsWith('/')) toOriginForm(request);
      if (unread.isPressed()) unread.defer(() => handle(request, response));
      else handle(request, response);
    }, limits);
    server.on('request', answer);
    // perimeter.ts answers another expectation than 100-continue with a problem.
    server.on('checkExpectation', answer);
    server.on('connect', (_request, socket) => answerConnect(address, socket as Socket));
    server.on('clientError', answerClientErrors(address) as (error: Error, socket: unknown) => void);
    unread.watch(server);
    return server;
  };
};
