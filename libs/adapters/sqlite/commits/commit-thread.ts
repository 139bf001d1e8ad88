import { MessageChannel, receiveMessageOnPort, type MessagePort, type Worker } from 'node:worker_threads';
import { reasonOf } from '../../../eventsourcing/reason.js';
import { existingFile } from '../folder/database.js';
import { moduleBeside, startThread } from '../../../threads/start-thread.js';
import type { CommitReport, CommitRequest, CommitThreadData, TruncateReport } from './commit-thread-program.js';
import type { RecordedWrites } from './recorded-writes.js';

/** The outcome of a commit. `unknown`: the thread ended during the commit. */
export type CommitOutcome = CommitReport | { readonly kind: 'unknown'; readonly reason: string };

type Report = CommitReport | TruncateReport;

/** A running thread. */
type Running = {
  readonly worker: Worker;
  readonly port: MessagePort;
  /** Shared with the thread: its only item is the number of the last finished commit. */
  readonly state: Int32Array;
  /** How many statements were sent to the thread. */
  sentStatements: number;
  readonly ended: Promise<void>;
};

/**
 * Commits recorded transactions in its own thread, one at a time, so that the main thread never waits for the disk or for the
 * lock of another connection. A thread that has died is replaced at the next commit.
 */
export class CommitThread {
  private running: Running | null = null;
  /** The number of the last commit that was sent to the thread. Like an item of `state`, it overflows at 32 bits. */
  private commitNumber = 0;
  private onOutcome: ((outcome: CommitOutcome) => void) | null = null;
  private readonly onTruncated: ((isEmpty: boolean) => void)[] = [];
  private failure = 'its file cannot be used';

  /** `pragmas` configure the thread's connection to the file at `path`. */
  constructor(
    private readonly path: string,
    private readonly pragmas: string,
  ) {}

  /** Starts the thread. Without this call, the first commit starts it. */
  start(): Running {
    const { port1: port, port2 } = new MessageChannel();
    const state = new Int32Array(new SharedArrayBuffer(4));
    const data: CommitThreadData = { path: this.path, file: existingFile(this.path), pragmas: this.pragmas, port: port2, state };
    const worker = startThread(moduleBeside(import.meta.url, './commit-thread-program'), { data, transfer: [port2] });
    port.on('message', (report: Report) => this.onReport(report));
    port.unref();
    worker.on('error', (error) => (this.failure = reasonOf(error)));
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve(this.onExit(port))));
    return (this.running = { worker, port, state, sentStatements: 0, ended });
  }

  isBusy(): boolean {
    return this.onOutcome !== null;
  }

  /**
   * Writes the transaction atomically and durably, then calls `onOutcome`. Call it only when no other commit is in progress.
   */
  commit({ statements, values, statementTable }: RecordedWrites, onOutcome: (outcome: CommitOutcome) => void): void {
    const running = this.running ?? this.start();
    this.onOutcome = onOutcome;
    // Keeps the process alive during a commit.
    running.port.ref();
    this.commitNumber = (this.commitNumber + 1) | 0;
    const added = statementTable.list.slice(running.sentStatements);
    running.sentStatements = statementTable.list.length;
    running.port.postMessage({ number: this.commitNumber, added, ids: statements, values } satisfies CommitRequest);
  }

  /** Calls `onOutcome` now if the thread has finished the commit. If not, a message event calls `onOutcome` later. */
  poll(): void {
    const { running } = this;
    if (!this.onOutcome || !running || Atomics.load(running.state, 0) !== this.commitNumber) return;
    const received = receiveMessageOnPort(running.port);
    if (received) this.onReport(received.message as Report);
  }

  /**
   * Checkpoints the write-ahead log between two commits, so that the next commit writes to the beginning of the
   * log file again.
   */
  checkpoint(): void {
    this.running?.port.postMessage('checkpoint');
  }

  /** Checkpoints and truncates the write-ahead log. Resolves with false if a reader or a failure of the disk prevents it. */
  truncate(): Promise<boolean> {
    const running = this.running ?? this.start();
    running.port.ref();
    return new Promise((resolve) => {
      this.onTruncated.push(resolve);
      running.port.postMessage('truncate');
    });
  }

  /** Ends the thread. Call it only when no commit is in progress. */
  async close(): Promise<void> {
    const { running } = this;
    if (!running) return;
    running.worker.ref();
    running.port.postMessage('stop');
    await running.ended;
  }

  private onReport(report: Report): void {
    if (report.kind === 'truncated') {
      this.onTruncated.shift()?.(report.isEmpty);
      this.unrefIfIdle();
    } else this.finish(report);
  }

  private finish(outcome: CommitOutcome): void {
    const { onOutcome } = this;
    this.onOutcome = null;
    this.unrefIfIdle();
    onOutcome?.(outcome);
  }

  private unrefIfIdle(): void {
    if (!this.onOutcome && this.onTruncated.length === 0) this.running?.port.unref();
  }

  private onExit(port: MessagePort): void {
    for (let received = receiveMessageOnPort(port); received; received = receiveMessageOnPort(port))
      this.onReport(received.message as Report);
    port.close();
    this.running = null;
    for (const resolve of this.onTruncated.splice(0)) resolve(false);
    if (this.onOutcome) this.finish({ kind: 'unknown', reason: `the thread that writes has ended: ${this.failure}` });
  }
}
