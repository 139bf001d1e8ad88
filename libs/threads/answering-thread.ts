import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import type { Clock } from '../eventsourcing/ports/clock.port.js';
import { startThread } from './start-thread.js';
import type { FromThread, Reply, ToThread } from './thread-messages.js';

/**
 * The default `nice` value of a thread, see `startThread`. It is a low priority, so that expensive questions delay other requests
 * less.
 */
const NICE = 10;
/** Milliseconds that a thread has to stop. */
const STOP_WAIT = 1_000;

export type AnsweringOptions<Told = never> = {
  /** The module whose program calls `answerQuestions`. */
  readonly program: URL;
  /** Returns what the program reads in `workerData`. Default: nothing. */
  readonly dataOf?: () => object;
  /** The `nice` value of the thread, see `startThread`. Default: NICE. */
  readonly nice?: number;
  /** See `startThread`. */
  readonly youngMegabytes?: number | undefined;
  /** Makes the error for a question without an answer: the program has thrown, or the thread has ended. */
  readonly toError: (reason: string) => Error;
  /** Receives what the thread tells by itself, in order with the answers. */
  readonly onTold?: (told: Told) => void;
};

type Asked = { readonly resolve: (answer: unknown) => void; readonly reject: (error: Error) => void };
type Running = { readonly worker: Worker; readonly port: MessagePort; readonly ended: Promise<void> };

/**
 * A thread that answers questions of the main thread. It starts at the first question. A thread that has died is replaced at the
 * next one. A question keeps the process alive until it is answered, and the thread itself does not.
 */
export class AnsweringThread<Question, Notice = never, Told = never> {
  private running: Running | null = null;
  private readonly asked = new Map<number, Asked>();
  private lastId = 0;
  private isClosed = false;

  constructor(private readonly options: AnsweringOptions<Told>) {}

  /** Resolves with the answer. Rejects with the error of `toError`. */
  ask(question: Question): Promise<unknown> {
    if (this.isClosed) return Promise.reject(this.options.toError('it is closed'));
    const { port } = (this.running ??= this.start());
    return new Promise((resolve, reject) => {
      const id = ++this.lastId;
      this.asked.set(id, { resolve, reject });
      port.ref();
      this.send({ kind: 'question', id, question });
    });
  }

  /** Sends a notice to a running thread, in order with the questions. */
  notify(notice: Notice): void {
    this.send({ kind: 'notice', notice });
  }

  /** Ends the thread. One that is busy for too long, for example making an index, is terminated: it only reads. */
  async close(clock: Clock): Promise<void> {
    this.isClosed = true;
    const { running } = this;
    if (!running) return;
    running.worker.ref();
    this.send({ kind: 'stop' });
    const cancel = clock.after(STOP_WAIT, () => void running.worker.terminate());
    await running.ended;
    cancel();
  }

  private send(message: ToThread<Question, Notice>): void {
    this.running?.port.postMessage(message);
  }

  private start(): Running {
    const { program, dataOf, nice = NICE, youngMegabytes } = this.options;
    const { port1: port, port2 } = new MessageChannel();
    const worker = startThread(program, { data: { ...dataOf?.(), port: port2 }, transfer: [port2], nice, youngMegabytes });
    let failure = 'it was ended';
    worker.on('error', (error: Error) => (failure = error.message));
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve(this.onExit(port, failure))));
    port.on('message', (message: FromThread<Told>) => {
      if ('told' in message) this.options.onTold?.(message.told);
      else this.onReply(port, message);
    });
    port.unref();
    return { worker, port, ended };
  }

  private onReply(port: MessagePort, { id, answer, failed }: Reply): void {
    const asked = this.asked.get(id);
    this.asked.delete(id);
    if (this.asked.size === 0) port.unref();
    if (failed === undefined) asked?.resolve(answer);
    else asked?.reject(this.options.toError(failed));
  }

  private onExit(port: MessagePort, failure: string): void {
    port.close();
    this.running = null;
    for (const { reject } of this.asked.values()) reject(this.options.toError(`its thread has ended: ${failure}`));
    this.asked.clear();
  }
}
