import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { after } from '../machine-time.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** Stops listening and tells clients to leave. Resolves after this time, or as soon as no connection is open. Call it before `close`. */
    readonly drain: (milliseconds: number) => Promise<void>;
  }
}

/**
 * Prepares HTTP servers for their stop (contract 26.4). A connection that is closed while its client sends a request loses that
 * request, and a client cannot repeat a POST. So the servers go on answering for a moment, and each answer tells its client to
 * leave the connection.
 */
export class Drain {
  private hasBegun = false;
  private readonly servers = new Set<Server>();
  private readonly sockets = new Set<Socket>();
  private readonly onEmpty: (() => void)[] = [];

  /** Counts the connections of a server. */
  watch(server: Server): void {
    this.servers.add(server);
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => {
        this.sockets.delete(socket);
        if (this.sockets.size === 0) for (const resolve of this.onEmpty.splice(0)) resolve();
      });
    });
  }

  isBegun(): boolean {
    return this.hasBegun;
  }

  /** Stops listening. Resolves after this time, or as soon as no connection is open. Idle connections are then closed. */
  async begin(milliseconds: number): Promise<void> {
    this.hasBegun = true;
    // Node adds a second to this time. So a connection whose last response began before the stop closes a second after it.
    for (const server of this.servers) server.keepAliveTimeout = 1;
    await this.stopListening();
    let cancel = (): void => undefined;
    await Promise.race([this.emptied(), new Promise<void>((resolve) => (cancel = after(milliseconds, resolve)))]);
    cancel();
    for (const server of this.servers) server.closeIdleConnections();
  }

  /**
   * Closes the connections on which no byte has arrived. Browsers open such connections in advance. Node does not count them as idle, so
   * a stop would wait for them.
   */
  async closeUnused(): Promise<void> {
    // What has arrived in the kernel is read in these turns.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
  }

  /** Resolves when no connection is open, if the drain has begun. Node itself waits only for servers that still listen. */
  emptied(): Promise<void> {
    if (!this.hasBegun || this.sockets.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.onEmpty.push(resolve));
  }

  /**
   * The kernel resets connections that nobody has accepted when the listener closes. Each turn of the event loop accepts all of
   * them. After two turns with little else to do, almost no time passes between that and the close. `close` of an HTTP server would
   * close idle connections too, so the `close` of its base class is called.
   */
  private async stopListening(): Promise<void> {
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
    for (const server of this.servers) if (server.listening) NetServer.prototype.close.call(server);
  }

  /** Extends a class of responses. The last response of a connection has `Connection: close`. */
  responses(Responses: typeof ServerResponse, hasWaiting: (socket: Socket) => boolean): typeof ServerResponse {
    const isBegun = this.isBegun.bind(this);
    return class<Request extends IncomingMessage> extends Responses<Request> {
      override writeHead(status: number, ...rest: unknown[]): this {
        if (isBegun()) {
          // Fastify sets this header while it closes. The requests that wait on the connection would then get no response.
          if (hasWaiting(this.req.socket)) this.removeHeader('connection');
          else this.setHeader('connection', 'close');
        }
        return (super.writeHead as (...all: unknown[]) => this)(status, ...rest);
      }
    };
  }
}
