import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { callerNetwork, rangeCheck } from '../admission/caller-network.js';
import { after } from '../machine-time.js';

/** The limits for what still comes of a body after the response to its request (contract 2.12). */
export type RefusedBodyLimits = {
  /** A shorter body is read to its end after a refusal, and its connection is kept. */
  readonly keptBytes: number;
  readonly droppedBytes: number;
  readonly droppedMilliseconds: number;
  /** The maximum time without a byte. */
  readonly droppedGapMilliseconds: number;
  /** The maximum number of connections, of this process and of one address, whose bodies are dropped at the same time. */
  readonly droppedConnections: number;
  readonly droppedConnectionsOfAddress: number;
};

/** Refusals after which the rest of the connection means nothing (contract 2.11, 4.9). It is closed, and nothing more is read. */
const CLOSED_AT_ONCE: ReadonlySet<number> = new Set([400, 408, 417, 501]);

/**
 * Drops what still comes of a body whose request was already answered. A client that sends before it reads gets the response
 * only if somebody reads what it sends: a connection that is closed with unread bytes is reset, and a proxy then says 502 (RFC
 * 9112, 9.6).
 */
export class RefusedBodies {
  /** The answered requests whose bodies are incomplete, by connection. */
  private readonly answered = new Map<Socket, IncomingMessage>();
  /** The connections among them that will be closed, counted by the network of their peer. */
  private readonly dropped = new Map<string, number>();
  private droppedCount = 0;
  private isStopped = false;
  private readonly isProxy: (address: string) => boolean;

  constructor(
    private readonly limits: RefusedBodyLimits,
    trustedProxies: readonly string[],
  ) {
    this.isProxy = rangeCheck(trustedProxies);
  }

  /** Returns whether the request on a connection was answered, and its body is incomplete. Another response would be one too many. */
  isAnswered(socket: Socket): boolean {
    return this.answered.has(socket);
  }

  /** Closes all connections of incomplete bodies, because a stop does not wait for what nobody reads. */
  stop(): void {
    this.isStopped = true;
    for (const socket of this.answered.keys()) socket.destroy();
  }

  /** Extends a class of responses. Its responses are sent at once, and what still comes of their requests is dropped. */
  responses(Responses: typeof ServerResponse): typeof ServerResponse {
    const beforeSending = this.beforeSending.bind(this);
    return class<Request extends IncomingMessage> extends Responses<Request> {
      override writeHead(status: number, ...rest: unknown[]): this {
        if (isIncomplete(this.req)) beforeSending(this, status, rest);
        return (super.writeHead as (...all: unknown[]) => this)(status, ...rest);
      }
    };
  }

  private beforeSending(response: ServerResponse, status: number, [headers]: unknown[]): void {
    const { req: request } = response;
    const { socket } = request;
    const isClosing = (headers as { readonly connection?: string } | undefined)?.connection === 'close';
    if (socket.destroyed || (isClosing && CLOSED_AT_ONCE.has(status))) return;
    const isKept = lengthOf(request) <= this.limits.keptBytes && !this.isStopped;
    if (status >= 400 && !isKept) response.setHeader('connection', 'close');
    this.answered.set(socket, request);
    const cancel = after(this.limits.droppedMilliseconds, () => void socket.destroy());
    const limit = socket.bytesRead + this.limits.droppedBytes;
    // Without a reader, Node would read the rest itself, and nobody could count it.
    request.on('data', () => void (socket.bytesRead > limit && socket.destroy())).resume();
    // Node calls `destroySoon` after the last response of a connection. This one is used once.
    const drop = (): void => {
      Reflect.deleteProperty(socket, 'destroySoon');
      this.drop(request);
    };
    socket.destroySoon = drop;
    onceOver(request, () => {
      cancel();
      // The next request on the connection may have been answered already.
      if (this.answered.get(socket) === request) this.answered.delete(socket);
      if (socket.destroySoon === drop) Reflect.deleteProperty(socket, 'destroySoon');
    });
  }

  /** Sends the rest of the response, then the end of the stream, and drops what comes, within the limits. */
  private drop(request: IncomingMessage): void {
    const { socket } = request;
    const network = callerNetwork(socket.remoteAddress ?? '');
    // All clients of a trusted proxy have its address.
    const ofNetwork = this.isProxy(socket.remoteAddress ?? '') ? 0 : (this.dropped.get(network) ?? 0);
    const isFull = this.droppedCount >= this.limits.droppedConnections || ofNetwork >= this.limits.droppedConnectionsOfAddress;
    if (request.closed || isFull || this.isStopped) return socket.destroySoon();
    this.count(network, 1);
    socket.setTimeout(this.limits.droppedGapMilliseconds).end();
    onceOver(request, () => {
      this.count(network, -1);
      socket.destroySoon();
    });
  }

  private count(network: string, by: number): void {
    this.droppedCount += by;
    const count = (this.dropped.get(network) ?? 0) + by;
    if (count > 0) this.dropped.set(network, count);
    else this.dropped.delete(network);
  }
}

/** Calls `then` once, when a body has ended or its connection is closed. Node does not close a request that was answered. */
const onceOver = (request: IncomingMessage, then: () => void): void => {
  const { socket } = request;
  const over = (): void => {
    request.off('close', over);
    socket.off('close', over);
    then();
  };
  request.once('close', over);
  socket.once('close', over);
};

/** The Content-Length of a request, or NaN if the body has no length. */
const lengthOf = ({ headers }: IncomingMessage): number => Number(headers['content-length'] ?? NaN);

/** Returns whether bytes of the body of a request have not arrived. */
export const isIncomplete = (request: IncomingMessage): boolean =>
  !request.complete && (lengthOf(request) > 0 || request.headers['transfer-encoding'] !== undefined);
