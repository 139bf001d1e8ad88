import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { after } from './machine-time.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** Tells clients to leave. Resolves after this time, or as soon as no connection is open. Call it before `close`. */
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
  private end: (() => void) | undefined;

  /** Counts the connections of a server. */
  watch(server: Server): void {
    this.servers.add(server);
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => {
        this.sockets.delete(socket);
        if (this.sockets.size === 0) this.end?.();
      });
    });
  }

  isBegun(): boolean {
    return this.hasBegun;
  }

  /** Resolves after this time, or as soon as no connection is open. */
  begin(milliseconds: number): Promise<void> {
    this.hasBegun = true;
    // Node adds a second to this time. So a connection whose last response began before the stop closes a second after it.
    for (const server of this.servers) server.keepAliveTimeout = 1;
    return new Promise((resolve) => {
      const cancel = after(milliseconds, () => this.end?.());
      this.end = () => {
        cancel();
        resolve();
      };
      if (this.sockets.size === 0) this.end();
    });
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
