import { randomUUID } from 'node:crypto';
import { EventStoreDBClient } from '@eventstore/db-client';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { BatchAppendResp, ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import type { EncodedEvent, ExpectedRevision } from '../../../eventsourcing/ports/event-store.port.js';
import { AppendStream, type BatchAppendCall } from './append-stream.js';
import { NoAnswer, reasonOf, Unreached } from './failures.js';
import { appendRequest } from './wire.js';

const CLOSED = 'the store is closed';

/** A read under way: its messages as they come, until it is paused, cancelled or over. */
export type ReadCall = ReturnType<StreamsClient['read']>;

/**
 * The client with its connection laid open. Its own commands parse JSON and write it anew, and "byte for byte what was
 * appended" is what hashes are over; so the calls are made here, on its connection, which knows addresses, certificates,
 * credentials and the leader.
 */
class OpenClient extends EventStoreDBClient {
  /** A client for an `esdb://` address. */
  static at(url: string): OpenClient {
    // The client's own reading of addresses and certificates makes a plain client, whatever class it is asked of.
    return Object.setPrototypeOf(EventStoreDBClient.connectionString(url), OpenClient.prototype) as OpenClient;
  }

  /** The calls there are, on a connection that is kept as long as it is good. */
  streams(): Promise<StreamsClient> {
    return this.execute(StreamsClient, 'streams', (client) => Promise.resolve(client));
  }

  /** Without a deadline, since the call goes on: each append on it has one of its own. */
  startBatchAppend(streams: StreamsClient): BatchAppendCall {
    return streams.batchAppend(...this.callArguments({ requiresLeader: true }, { deadline: Infinity }));
  }

  startRead(streams: StreamsClient, request: ReadReq, requiresLeader: boolean): ReadCall {
    return streams.read(request, ...this.callArguments({ requiresLeader }, { deadline: Infinity }));
  }

  /** Leaves a connection that failed, for the leader's address where the server told it. */
  async failed(streams: StreamsClient, error: unknown): Promise<void> {
    try {
      await this.handleError(streams, error as Error);
    } catch {
      // A refusal that names no leader: the same node is asked again, and may know one by then.
    }
  }
}

/** Calls to one server or cluster, each given up when nothing is heard of it for `patience` milliseconds. */
export class Connection {
  private readonly client: OpenClient;
  private last: StreamsClient | null = null;
  /** The call that carries appends, and the connection that it is on. */
  private appending: { readonly streams: StreamsClient; readonly over: AppendStream } | null = null;
  private isClosed = false;

  constructor(
    url: string,
    private readonly clock: Clock,
    private readonly patience: number,
  ) {
    this.client = OpenClient.at(url);
  }

  /** Sends an append; rejects when no answer came in time, or the call that carried it failed. */
  async append(stream: string, expected: ExpectedRevision, events: readonly EncodedEvent[]): Promise<BatchAppendResp> {
    const id = randomUUID();
    const request = appendRequest(id, stream, expected, events);
    const streams = await this.reached();
    if (this.isClosed) throw new Unreached(CLOSED);
    return this.appendStream(streams).send(id, request);
  }

  /** Everything a read answers, from the leader, which knows what was acknowledged last. */
  async read(request: ReadReq): Promise<readonly ReadResp[]> {
    return this.call((streams) => this.collect(this.client.startRead(streams, request, true)));
  }

  /** Begins a read that goes on until it is cancelled; any node that holds the log may serve it. */
  async follow<T>(request: ReadReq, begin: (call: ReadCall) => T): Promise<T> {
    return this.call(async (streams) => {
      const call = this.client.startRead(streams, request, false);
      call.once('error', (error) => void this.client.failed(streams, error));
      return begin(call);
    });
  }

  /** Ends the connection, and with it what is under way. */
  close(): void {
    this.isClosed = true;
    this.appending?.over.cancel();
    this.last?.close();
    this.last = null;
  }

  /** The one call for appends; another when it failed, an append on it was given up, or the connection is a new one. */
  private appendStream(streams: StreamsClient): AppendStream {
    if (this.appending?.streams === streams && this.appending.over.isOpen) return this.appending.over;
    this.appending?.over.retire();
    const { client, clock, patience } = this;
    const over = new AppendStream({
      call: client.startBatchAppend(streams),
      clock,
      patience,
      onFailure: (error) => client.failed(streams, error),
    });
    this.last = streams;
    this.appending = { streams, over };
    return over;
  }

  private async call<T>(make: (streams: StreamsClient) => Promise<T>): Promise<T> {
    const streams = await this.reached();
    this.last = streams;
    try {
      return await make(streams);
    } catch (error) {
      await this.client.failed(streams, error);
      throw error;
    }
  }

  /** Looking for a cluster's leader may take longer than anybody waits. */
  private reached(): Promise<StreamsClient> {
    if (this.isClosed) return Promise.reject(new Unreached(CLOSED));
    return new Promise((resolve, reject) => {
      const stop = this.clock.after(this.patience, () => reject(new Unreached(`no server found within ${this.patience} ms`)));
      this.client
        .streams()
        .then(resolve, (error: unknown) => reject(new Unreached(reasonOf(error), { cause: error })))
        .finally(stop);
    });
  }

  private collect(call: ReadCall): Promise<readonly ReadResp[]> {
    return new Promise((resolve, reject) => {
      const messages: ReadResp[] = [];
      let heard = 0;
      let stop = (): void => undefined;
      const watch = (): void => {
        stop = this.clock.after(this.patience, () => {
          if (messages.length > heard) {
            heard = messages.length;
            watch();
            return;
          }
          reject(new NoAnswer(`no answer within ${this.patience} ms`));
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
