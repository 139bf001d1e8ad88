import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import { NoAnswer, ofUnknownFate, reasonOf, Unreached, wasNeverTaken } from './failures.js';

/** A call of `BatchAppend`: appends go one way and their answers, in any order, the other. */
export type BatchAppendCall = ReturnType<StreamsClient['batchAppend']>;

export type AppendStreamParts = {
  readonly call: BatchAppendCall;
  readonly clock: Clock;
  /** Milliseconds after which an append without an answer is given up. */
  readonly patience: number;
  /** Called once when the call fails or the server ends it, before its appends are rejected. */
  readonly onFailure: (error: unknown) => Promise<void>;
};

type Sending = {
  readonly resolve: (answer: BatchAppendResp) => void;
  readonly reject: (error: Error) => void;
  readonly stopTimer: () => void;
};

/**
 * Sends appends over one call and matches the answers to them by correlation id. Once an append is given up, the call takes
 * no further ones, and is cancelled when the others have their answers: so nothing that is buffered here or in the server is
 * written long after.
 */
export class AppendStream {
  /** Every append without an answer, by its correlation id. */
  private readonly sendings = new Map<string, Sending>();
  /** Those of them that were not handed to the call, because it takes no more for the moment. */
  private readonly unsent = new Map<string, BatchAppendReq>();
  private isFull = false;
  private isRetired = false;
  private isOver = false;
  private hasAnswered = false;

  constructor(private readonly parts: AppendStreamParts) {
    const { call } = parts;
    call.on('data', (answer: BatchAppendResp) => this.answered(answer));
    call.on('drain', () => {
      this.isFull = false;
      this.flush();
    });
    // A cancelled call emits an error, too. An error comes before the end that belongs to it.
    call.on('error', (error) => void this.failed(error));
    call.on('end', () => void this.failed(new Error('the server ended the call')));
  }

  /** Whether further appends may be sent. */
  get isOpen(): boolean {
    return !this.isRetired && !this.isOver;
  }

  /** Sends an append that is one message, under a correlation id that was never used before. */
  send(id: string, request: BatchAppendReq): Promise<BatchAppendResp> {
    return new Promise((resolve, reject) => {
      const stopTimer = this.parts.clock.after(this.parts.patience, () => this.giveUp(id));
      this.sendings.set(id, { resolve, reject, stopTimer });
      this.unsent.set(id, request);
      this.flush();
    });
  }

  /** Takes no further appends, and ends the call once every append has its answer or was given up. */
  retire(): void {
    this.isRetired = true;
    this.cancelWhenDone();
  }

  /** Ends the call now; what became of its appends is unknown. */
  cancel(): void {
    if (this.isOver) return;
    this.isOver = true;
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

  private answered(answer: BatchAppendResp): void {
    this.hasAnswered = true;
    // A late answer to an append that was given up finds nobody.
    this.take(answer.getCorrelationId()?.getString() ?? '')?.resolve(answer);
    this.cancelWhenDone();
  }

  private giveUp(id: string): void {
    const { patience } = this.parts;
    const wasSent = !this.unsent.delete(id);
    this.take(id)?.reject(
      wasSent ? new NoAnswer(`no answer within ${patience} ms`) : new Unreached(`the server took nothing for ${patience} ms`),
    );
    this.retire();
  }

  private take(id: string): Sending | undefined {
    const sending = this.sendings.get(id);
    this.sendings.delete(id);
    sending?.stopTimer();
    return sending;
  }

  private cancelWhenDone(): void {
    if (this.isRetired && this.sendings.size === 0) this.cancel();
  }

  private async failed(error: Error): Promise<void> {
    if (this.isOver) return;
    this.isOver = true;
    await this.parts.onFailure(error);
    this.rejectAll(error);
  }

  private rejectAll(error: Error): void {
    const wereTaken = this.hasAnswered || !wasNeverTaken(error);
    const fate = wereTaken ? ofUnknownFate(error) : error;
    for (const id of [...this.sendings.keys()])
      this.take(id)?.reject(this.unsent.delete(id) ? new Unreached(reasonOf(error), { cause: error }) : fate);
  }
}
