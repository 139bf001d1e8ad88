import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyServerOptions } from 'fastify';
import type { Logger } from 'pino';
import type { Drain } from './drain.js';
import { answerClientErrors, answerConnect } from './client-errors.js';
import { toOriginForm } from './framing.js';
import { handleInOrder } from './handle-in-order.js';
import { limitUnread } from './unread-responses.js';
import { isIncomplete, type RefusedBodies } from './refused-bodies.js';
import { PieceJoiningRequest } from './unread-bodies.js';

/** The limits of an HTTP server. `LIMITS` in apps/api/limits.ts has their values. */
export type ServerLimits = {
  readonly headerBytes: number;
  readonly headersMilliseconds: number;
  readonly uploadMilliseconds: number;
  readonly keepAliveMilliseconds: number;
  readonly connectionMilliseconds: number;
  readonly checkMilliseconds: number;
  readonly waitingRequests: number;
  readonly waitingBytes: number;
  readonly unreadBytes: number;
  readonly unreadCheckMilliseconds: number;
};

/**
 * Returns a function that creates the HTTP servers of Fastify.
 * These servers have limits and checks that Fastify lacks.
 */
export const serverFactory = (
  limits: ServerLimits,
  raw: Parameters<typeof answerClientErrors>[0],
  refused: RefusedBodies,
  drain: Drain,
  logger: Logger,
): NonNullable<FastifyServerOptions['serverFactory']> => {
  const unread = limitUnread(limits, logger);
  return (handle) => {
    const { handle: handleRequest, hasWaiting } = handleInOrder((request, response) => {
      if (!request.url?.startsWith('/')) toOriginForm(request);
      if (unread.isUnderPressure()) unread.defer(() => handle(request, response));
      // In the next turn, the parser has passed on the chunks that came with the headers. A refusal of a complete request keeps
      // the connection.
      else if (request.headers['transfer-encoding'] !== undefined) setImmediate(() => void handle(request, response));
      else handle(request, response);
    }, limits);
    const server = limitedServer(limits, drain.responses(refused.responses(unread.ServerResponse), hasWaiting));
    server.on('request', handleRequest);
    server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
      // A refusal that the headers decide comes in place of the 100 (contract 2.12). So the 100 is sent when the body is read.
      if (isIncomplete(request)) request.once('resume', () => void (response.headersSent || response.writeContinue()));
      else response.writeContinue();
      handleRequest(request, response);
    });
    // Node emits this event for an Expect header other than 100-continue. perimeter.ts rejects the request with a problem.
    server.on('checkExpectation', handleRequest);
    server.on('connect', (request, socket) => answerConnect(raw, request, socket as Socket));
    server.on('clientError', answerClientErrors(raw, refused) as (error: Error, socket: unknown) => void);
    unread.watch(server);
    drain.watch(server);
    return server;
  };
};

const limitedServer = (limits: ServerLimits, Responses: typeof ServerResponse): Server => {
  const server = createServer({
    IncomingMessage: PieceJoiningRequest,
    ServerResponse: Responses,
    // A request without a body gets no body stream. Creating one would take a tenth of the time of a GET of one resource.
    optimizeEmptyRequests: true,
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMilliseconds,
    // bodies.ts limits the time of each body, and refused-bodies.ts that of a body that nobody reads. This limit is for the rest.
    requestTimeout: limits.headersMilliseconds + limits.uploadMilliseconds + limits.checkMilliseconds,
    keepAliveTimeout: limits.keepAliveMilliseconds,
    connectionsCheckingInterval: limits.checkMilliseconds,
    // perimeter.ts rejects a request that has no Host header, and sends a problem. Node itself would send no problem.
    requireHostHeader: false,
    shouldUpgradeCallback: () => false,
  });
  server.setTimeout(limits.connectionMilliseconds);
  // By default Node ignores all headers after the first 2,000. 0 accepts any number, and maxHeaderSize limits their size.
  server.maxHeadersCount = 0;
  return server;
};
