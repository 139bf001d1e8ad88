import { EventStoreDBClient } from '@eventstore/db-client';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { AppendReq, AppendResp, ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { Clock } from '../../eventsourcing/clock.port.js';
import { reasonOf, Unreached } from './failures.js';

/** A read under way: its messages as they come, until it is paused, cancelled or over. */
export type ReadCall = ReturnType<StreamsClient['read']>;

/** A call that was given up because nothing was heard of it in time. */
class NotHeardOf extends Error {
  override readonly name = 'NotHeardOf';
}

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

  startAppend(
    streams: StreamsClient,
    deadline: number,
    done: (error: Error | null, answer: AppendResp) => void,
  ): ReturnType<StreamsClient['append']> {
    return streams.append(...this.callArguments({ requiresLeader: true, deadline }), done);
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

  constructor(
    url: string,
    private readonly clock: Clock,
    private readonly patience: number,
  ) {
    this.client = OpenClient.at(url);
  }

  /** Sends an append; rejects with what gRPC says when it does not answer in time. */
  async append(requests: readonly AppendReq[]): Promise<AppendResp> {
    return this.call((streams) => {
      return new Promise((resolve, reject) => {
        const sink = this.client.startAppend(streams, this.patience, (error, answer) => (error ? reject(error) : resolve(answer)));
        sink.on('error', reject);
        for (const request of requests) sink.write(request);
        sink.end();
      });
    });
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
    this.last?.close();
    this.last = null;
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
          reject(new NotHeardOf(`no answer within ${this.patience} ms`));
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
