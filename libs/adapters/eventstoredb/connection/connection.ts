import { randomUUID } from 'node:crypto';
import { EventStoreDBClient } from '@eventstore/db-client';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { BatchAppendResp, ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import type { EncodedEvent, ExpectedRevision } from '../../../eventsourcing/ports/event-store.port.js';
import { AppendStream, type BatchAppendCall } from './append-stream.js';
import { NoResponse, reasonOf, NodeUnreachable } from './failures.js';
import { reachLoopbackDirectly } from './loopback.js';
import { appendRequest } from './wire.js';

const CLOSED = 'the store is closed';

/** An open call for a read or a subscription. It emits messages until it is paused, cancelled or ended. */
export type ReadCall = ReturnType<StreamsClient['read']>;

/**
 * Gives access to the gRPC connection of EventStoreDBClient, which manages addresses, certificates, credentials and the
 * leader. The client's own methods would parse and rewrite the JSON of events, but the hashes of events need the exact
 * bytes. So this module calls the gRPC methods directly.
 */
class GrpcAccess extends EventStoreDBClient {
  /** Creates a client for an `esdb://` address. */
  static at(url: string): GrpcAccess {
    reachLoopbackDirectly();
    // `connectionString` always creates an EventStoreDBClient, even if it is called on a subclass.
    return Object.setPrototypeOf(EventStoreDBClient.connectionString(url), GrpcAccess.prototype) as GrpcAccess;
  }

  /** Returns the gRPC client of the current connection. */
  streams(): Promise<StreamsClient> {
    return this.execute(StreamsClient, 'streams', (client) => Promise.resolve(client));
  }

  /** Starts a call for appends. The call stays open, so it has no deadline. Each append has its own timeout. */
  startBatchAppend(streams: StreamsClient): BatchAppendCall {
    return streams.batchAppend(...this.callArguments({ requiresLeader: true }, { deadline: Infinity }));
  }

  /** Starts a read or a subscription without a deadline. `collect` limits how long a read waits for messages. */
  startRead(streams: StreamsClient, request: ReadReq, requiresLeader: boolean): ReadCall {
    return streams.read(request, ...this.callArguments({ requiresLeader }, { deadline: Infinity }));
  }

  /** Drops a failed connection. If the server has named the leader, the next connection is to the leader. */
  async handleFailure(streams: StreamsClient, error: unknown): Promise<void> {
    try {
      await this.handleError(streams, error as Error);
    } catch {
      // A `not-leader` error that names no leader makes the client throw. The next call uses the same node, which may
      // know the leader at that time.
    }
  }
}

/** Makes calls to one server or cluster. A call fails after `timeout` milliseconds without a response. */
export class Connection {
  private readonly client: GrpcAccess;
  /** The latest connection, which `close` closes. */
  private last: StreamsClient | null = null;
  /** The open call for appends, and the connection that it uses. */
  private appending: { readonly streams: StreamsClient; readonly sender: AppendStream } | null = null;
  private isClosed = false;

  constructor(
    url: string,
    private readonly clock: Clock,
    private readonly timeout: number,
  ) {
    this.client = GrpcAccess.at(url);
  }

  /** Sends an append. Rejects if the call fails or there is no response in time. */
  async append(stream: string, expected: ExpectedRevision, events: readonly EncodedEvent[]): Promise<BatchAppendResp> {
    const id = randomUUID();
    const request = appendRequest(id, stream, expected, events);
    const streams = await this.connect();
    if (this.isClosed) throw new NodeUnreachable(CLOSED);
    return this.appendStream(streams).send(id, request);
  }

  /** Returns all messages of a read. Only the leader is read, because other nodes may lack the latest acknowledged append. */
  async read(request: ReadReq): Promise<readonly ReadResp[]> {
    return this.call((streams) => this.collect(this.client.startRead(streams, request, true)));
  }

  /** Starts a subscription, which stays open until it is cancelled. Any node can serve a subscription. */
  async subscribe<T>(request: ReadReq, start: (call: ReadCall) => T): Promise<T> {
    return this.call(async (streams) => {
      const call = this.client.startRead(streams, request, false);
      call.once('error', (error) => void this.client.handleFailure(streams, error));
      return start(call);
    });
  }

  /** Closes the connection and cancels open calls. */
  close(): void {
    this.isClosed = true;
    this.appending?.sender.cancel();
    this.last?.close();
    this.last = null;
  }

  /** Returns the open call for appends. Starts a new call after a failure or a timeout, or if the connection is new. */
  private appendStream(streams: StreamsClient): AppendStream {
    if (this.appending?.streams === streams && this.appending.sender.isOpen) return this.appending.sender;
    this.appending?.sender.retire();
    const { client, clock, timeout } = this;
    const sender = new AppendStream({
      call: client.startBatchAppend(streams),
      clock,
      timeout,
      onFailure: (error) => client.handleFailure(streams, error),
    });
    this.last = streams;
    this.appending = { streams, sender };
    return sender;
  }

  private async call<T>(make: (streams: StreamsClient) => Promise<T>): Promise<T> {
    const streams = await this.connect();
    this.last = streams;
    try {
      return await make(streams);
    } catch (error) {
      await this.client.handleFailure(streams, error);
      throw error;
    }
  }

  /** Connects with a time limit, because the client may search long for the leader of a cluster. */
  private connect(): Promise<StreamsClient> {
    if (this.isClosed) return Promise.reject(new NodeUnreachable(CLOSED));
    return new Promise((resolve, reject) => {
      const stop = this.clock.after(this.timeout, () => reject(new NodeUnreachable(`no server found within ${this.timeout} ms`)));
      this.client
        .streams()
        .then(resolve, (error: unknown) => reject(new NodeUnreachable(reasonOf(error), { cause: error })))
        .finally(stop);
    });
  }

  /**
   * Resolves with all messages of a read. Every `timeout` milliseconds, checks whether a message has arrived since the
   * previous check. If not, rejects.
   */
  private collect(call: ReadCall): Promise<readonly ReadResp[]> {
    return new Promise((resolve, reject) => {
      const messages: ReadResp[] = [];
      let countAtLastCheck = 0;
      let stop = (): void => undefined;
      const watch = (): void => {
        stop = this.clock.after(this.timeout, () => {
          if (messages.length > countAtLastCheck) {
            countAtLastCheck = messages.length;
            watch();
            return;
          }
          reject(new NoResponse(`no response within ${this.timeout} ms`));
          call.cancel();
        });
      };
      watch();
      call.on('data', (message: ReadResp) => messages.push(message));
      call.once('end', () => (stop(), resolve(messages)));
      call.on('error', (error) => (stop(), reject(error)));
    });
  }
}
