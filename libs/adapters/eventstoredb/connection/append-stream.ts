import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import { NoAnswer, lostAnswer, reasonOf, NodeUnreachable, hasWrittenNothing } from './failures.js';

/** A gRPC call of the method BatchAppend: the client sends appends, and the server answers them in any order. */
export type BatchAppendCall = ReturnType<StreamsClient['batchAppend']>;

export type AppendStreamParts = {
  readonly call: BatchAppendCall;
  readonly clock: Clock;
  /** The time limit of an append in milliseconds. */
  readonly timeout: number;
  /** Called once when the call fails or the server ends it, before its appends are rejected. */
  readonly onFailure: (error: unknown) => Promise<void>;
};

type PendingAppend = {
  readonly resolve: (answer: BatchAppendResp) => void;
  readonly reject: (error: Error) => void;
  readonly stopTimer: () => void;
};

/**
 * Sends appends over one call, and assigns answers by correlation id. After an append has timed out, no more appends
 * are sent, and the call is cancelled when the others are answered: so a buffered append is not written much later.
 */
export class AppendStream {
  /** Appends without an answer, by correlation id. */
  private readonly pending = new Map<string, PendingAppend>();
  /** Appends that wait because the buffer of the call is full. */
  private readonly unsent = new Map<string, BatchAppendReq>();
  private isFull = false;
  private isRetired = false;
  private isEnded = false;
  private hasAnswered = false;

  constructor(private readonly parts: AppendStreamParts) {
    const { call } = parts;
    call.on('data', (answer: BatchAppendResp) => this.onAnswer(answer));
    call.on('drain', () => {
      this.isFull = false;
      this.flush();
    });
    // A cancelled call also emits an error. An error is emitted before `end`.
    call.on('error', (error) => void this.handleFailure(error));
    call.on('end', () => void this.handleFailure(new Error('the server ended the call')));
  }

  /** Whether the call accepts further appends. */
  get isOpen(): boolean {
    return !this.isRetired && !this.isEnded;
  }

  /** Sends an append of one message. The correlation id must be new. */
  send(id: string, request: BatchAppendReq): Promise<BatchAppendResp> {
    return new Promise((resolve, reject) => {
      const stopTimer = this.parts.clock.after(this.parts.timeout, () => this.timeOut(id));
      this.pending.set(id, { resolve, reject, stopTimer });
      this.unsent.set(id, request);
      this.flush();
    });
  }

  /** Accepts no further appends. Cancels the call when the pending ones are answered or have timed out. */
  retire(): void {
    this.isRetired = true;
    this.cancelWhenDone();
  }

  /** Cancels the call now. The outcome of its appends is unknown. */
  cancel(): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.parts.call.cancel();
    this.rejectAll(new Error('the connection was closed'));
  }

  private flush(): void {
    for (const [id, request] of this.unsent) {
      if (this.isFull) return;
      this.unsent.delete(id);
      this.isFull = !this.parts.call.write(request);
    }
  }

  private onAnswer(answer: BatchAppendResp): void {
    this.hasAnswered = true;
    // An answer to an append that has timed out finds nothing pending and is ignored.
    this.removePending(answer.getCorrelationId()?.getString() ?? '')?.resolve(answer);
    this.cancelWhenDone();
  }

  private timeOut(id: string): void {
    const { timeout } = this.parts;
    const wasSent = !this.unsent.delete(id);
    this.removePending(id)?.reject(
      wasSent ? new NoAnswer(`no answer within ${timeout} ms`) : new NodeUnreachable(`the append was not sent within ${timeout} ms`),
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
    await this.parts.onFailure(error);
    this.rejectAll(error);
  }

  private rejectAll(error: Error): void {
    const mayBeWritten = this.hasAnswered || !hasWrittenNothing(error);
    const outcome = mayBeWritten ? lostAnswer(error) : error;
    for (const id of [...this.pending.keys()])
      this.removePending(id)?.reject(this.unsent.delete(id) ? new NodeUnreachable(reasonOf(error), { cause: error }) : outcome);
  }
}
