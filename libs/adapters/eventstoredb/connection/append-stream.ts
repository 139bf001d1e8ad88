import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import { NoResponse, lostResponse, reasonOf, NodeUnreachable, hasWrittenNothing } from './failures.js';

/**
 * A gRPC call of the method BatchAppend: the client sends appends, and the server responds to them in any
 * order.
 */
export type BatchAppendCall = ReturnType<StreamsClient['batchAppend']>;

export type AppendStreamDependencies = {
  readonly call: BatchAppendCall;
  readonly clock: Clock;
  /** The time limit of an append in milliseconds. */
  readonly timeout: number;
  /** Called once when the call fails or the server ends the call. The pending appends are rejected afterwards. */
  readonly onFailure: (error: unknown) => Promise<void>;
};

type PendingAppend = {
  readonly resolve: (response: BatchAppendResp) => void;
  readonly reject: (error: Error) => void;
  readonly stopTimer: () => void;
};

/**
 * Sends appends over one call, and matches responses to them by correlation id. After an append has timed out, the call
 * accepts no further appends, and is cancelled when no append waits for a response. Without the cancellation, the
 * timed-out append could stay in a buffer and be written much later.
 */
export class AppendStream {
  /** Appends without a response, by correlation id. */
  private readonly pending = new Map<string, PendingAppend>();
  /** Appends that wait because the buffer of the call is full. */
  private readonly unsent = new Map<string, BatchAppendReq>();
  private isFull = false;
  private isRetired = false;
  private isEnded = false;
  private hasResponded = false;

  constructor(private readonly dependencies: AppendStreamDependencies) {
    const { call } = dependencies;
    call.on('data', (response: BatchAppendResp) => this.onResponse(response));
    call.on('drain', () => {
      this.isFull = false;
      this.flush();
    });
    // `cancel` makes the call emit an error, which is ignored. A failed call emits `error` and then `end`, and only the
    // first of them is handled.
    call.on('error', (error) => void this.handleFailure(error));
    call.on('end', () => void this.handleFailure(new Error('the server ended the call')));
  }

  /** Whether the call accepts further appends. */
  get isOpen(): boolean {
    return !this.isRetired && !this.isEnded;
  }

  /**
   * Sends an append as one message, and returns the response of the server. `id` is the correlation id in the request. No
   * other append on this call may have this id.
   */
  send(id: string, request: BatchAppendReq): Promise<BatchAppendResp> {
    return new Promise((resolve, reject) => {
      const stopTimer = this.dependencies.clock.after(this.dependencies.timeout, () => this.timeOut(id));
      this.pending.set(id, { resolve, reject, stopTimer });
      this.unsent.set(id, request);
      this.flush();
    });
  }

  /** Accepts no further appends. Cancels the call when all pending appends have responses or have timed out. */
  retire(): void {
    this.isRetired = true;
    this.cancelWhenDone();
  }

  /** Cancels the call now. The outcome of its appends is unknown. */
  cancel(): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.dependencies.call.cancel();
    this.rejectAll(new Error('the connection was closed'));
  }

  private flush(): void {
    for (const [id, request] of this.unsent) {
      if (this.isFull) return;
      this.unsent.delete(id);
      this.isFull = !this.dependencies.call.write(request);
    }
  }

  private onResponse(response: BatchAppendResp): void {
    this.hasResponded = true;
    // The response to an append that has timed out is ignored.
    this.removePending(response.getCorrelationId()?.getString() ?? '')?.resolve(response);
    this.cancelWhenDone();
  }

  private timeOut(id: string): void {
    const { timeout } = this.dependencies;
    const wasSent = !this.unsent.delete(id);
    this.removePending(id)?.reject(
      wasSent ? new NoResponse(`no response within ${timeout} ms`) : new NodeUnreachable(`the append was not sent within ${timeout} ms`),
    );
    this.retire();
  }

  private removePending(id: string): PendingAppend | undefined {
    const append = this.pending.get(id);
    this.pending.delete(id);
    append?.stopTimer();
    return append;
  }

  private cancelWhenDone(): void {
    if (this.isRetired && this.pending.size === 0) this.cancel();
  }

  private async handleFailure(error: Error): Promise<void> {
    if (this.isEnded) return;
    this.isEnded = true;
    await this.dependencies.onFailure(error);
    this.rejectAll(error);
  }

  /**
   * Rejects every pending append. An unsent append was not written. A sent append was not written either if the call had no
   * response yet and `hasWrittenNothing` is true. In all other cases, a sent append may have been written.
   */
  private rejectAll(error: Error): void {
    const mayBeWritten = this.hasResponded || !hasWrittenNothing(error);
    const outcome = mayBeWritten ? lostResponse(error) : error;
    for (const id of [...this.pending.keys()])
      this.removePending(id)?.reject(this.unsent.delete(id) ? new NodeUnreachable(reasonOf(error), { cause: error }) : outcome);
  }
}
