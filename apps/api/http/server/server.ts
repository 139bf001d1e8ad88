import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyServerOptions } from 'fastify';
import type { Logger } from 'pino';
import { answerClientErrors, answerConnect } from './client-errors.js';
import { toOriginForm } from './framing.js';
import { inTurn } from './in-turn.js';
import type { PublicAddress } from '../public-address.js';
import { boundUnread } from './unread-answers.js';
import { RequestInPieces } from './unread-bodies.js';

export type ServerLimits = {
  readonly headerBytes: number;
  readonly headersMilliseconds: number;
  readonly requestMilliseconds: number;
  readonly keepAliveMilliseconds: number;
  readonly connectionMilliseconds: number;
  readonly lookMilliseconds: number;
  readonly waitingRequests: number;
  readonly waitingBytes: number;
  readonly unreadBytes: number;
  readonly unreadLookMilliseconds: number;
};

/** Makes Node's HTTP servers for Fastify, which asks for one per address that it listens on, with all that is refused or bounded below it. */
export const serverFactory = (
  limits: ServerLimits,
  address: PublicAddress,
  logger: Logger,
): NonNullable<FastifyServerOptions['serverFactory']> => {
  const unread = boundUnread(limits, logger);
  return (handle) => {
    const server = createServer({
      IncomingMessage: RequestInPieces,
      ServerResponse: unread.ServerResponse,
      // A request without a body costs no stream: a tenth of what a read by id costs.
      optimizeEmptyRequests: true,
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMilliseconds,
      requestTimeout: limits.requestMilliseconds,
      keepAliveTimeout: limits.keepAliveMilliseconds,
      connectionsCheckingInterval: limits.lookMilliseconds,
      // Node refuses without a body; perimeter.ts says what is wrong.
      requireHostHeader: false,
      shouldUpgradeCallback: () => false,
    });
    server.setTimeout(limits.connectionMilliseconds);
    // All of them are looked at: one beyond Node's 2,000 may be the one that counts. Their bytes are limited.
    server.maxHeadersCount = 0;
    const answer = inTurn((request, response) => {
      if (!request.url?.startsWith('/')) toOriginForm(request);
      if (unread.isPressed()) unread.defer(() => handle(request, response));
      else handle(request, response);
    }, limits);
    server.on('request', answer);
    // An expectation that is not 100-continue is refused in perimeter.ts, as a problem.
    server.on('checkExpectation', answer);
    server.on('connect', (_request, socket) => answerConnect(address, socket as Socket));
    server.on('clientError', answerClientErrors(address) as (error: Error, socket: unknown) => void);
    unread.watch(server);
    return server;
  };
};
