import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyServerOptions } from 'fastify';
import type { Logger } from 'pino';
import { Drain } from './drain.js';
import { answerClientErrors, answerConnect } from './client-errors.js';
import { framingFault, toOriginForm } from './framing.js';
import { handleInOrder } from './handle-in-order.js';
import { limitUnread } from './unread-responses.js';
import { isIncomplete, RefusedBodies, type RefusedBodyLimits } from './refused-bodies.js';
import { PieceJoiningRequest } from './unread-bodies.js';

/** The limits of an HTTP server. `LIMITS` in apps/api/limits.ts has their values. */
type ServerLimits = {
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

/** What the servers need. */
type HardenedOptions = {
  readonly limits: ServerLimits & RefusedBodyLimits;
  readonly trustedProxies: readonly string[];
  /** What a problem needs that no route sends. */
  readonly raw: Parameters<typeof answerClientErrors>[0];
  readonly logger: Logger;
};

/** Node's HTTP servers for Fastify, with limits and checks that both lack: README.md says which attack each of them stops. */
export class HardenedServers {
  private readonly drain = new Drain();
  private readonly refused: RefusedBodies;
  /** Returns a problem for a request that violates HTTP although Node accepted it. */
  readonly framingFault = framingFault;
  /** The option `serverFactory` of Fastify. */
  readonly factory: NonNullable<FastifyServerOptions['serverFactory']>;

  constructor({ limits, trustedProxies, raw, logger }: HardenedOptions) {
    const { drain } = this;
    const refused = new RefusedBodies(limits, trustedProxies);
    this.refused = refused;
    const unread = limitUnread(limits, logger);
    this.factory = (handle) => {
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
      // Node emits this event for an Expect header other than 100-continue. The perimeter rejects the request with a problem.
      server.on('checkExpectation', handleRequest);
      server.on('connect', (request, socket) => answerConnect(raw, request, socket as Socket));
      server.on('clientError', answerClientErrors(raw, refused) as (error: Error, socket: unknown) => void);
      unread.watch(server);
      drain.watch(server);
      return server;
    };
  }

  /** Returns whether the servers have begun to stop. */
  isStopping(): boolean {
    return this.drain.isBegun();
  }

  /** Stops listening and tells clients to leave. Resolves after this time, or as soon as no connection is open. */
  leave(milliseconds: number): Promise<void> {
    return this.drain.begin(milliseconds);
  }

  /** Closes the connections that nobody reads, and those that nobody has used. Resolves when no connection is open. */
  async stop(): Promise<void> {
    this.refused.stop();
    await this.drain.closeUnused();
    await this.drain.emptied();
  }
}

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
