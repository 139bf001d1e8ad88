import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import type { Clock } from '../eventsourcing/ports/clock.port.js';
import { StoreUnavailable } from '../eventsourcing/ports/event-store.port.js';
import type { Reply, ToThread } from './thread-messages.js';

/**
 * The `nice` value of the threads (0 to 19). A larger value means a lower priority, so that searches delay other requests less. It is
 * changed only on Linux, because other systems would change the priority of the whole process.
 */
const NICE = 10;

/**
 * Imports the program in the thread. In tests, Node reads TypeScript without the types, and a hook resolves its imports of `.js`
 * to `.ts`.
 */
const IMPORT_PROGRAM = `
const { registerHooks } = require('node:module');
const { program } = require('node:worker_threads').workerData;
const resolve = (name, context, next) => next(context.parentURL?.endsWith('.ts') ? name.replace(/\\.js$/, '.ts') : name, context);
if (process.platform === 'linux') {
  try {
    require('node:os').setPriority(${NICE});
  } catch {
    // Some sandboxes forbid a change of the priority.
  }
}
if (program.endsWith('.ts')) registerHooks({ resolve });
void import(program);`;

/** Milliseconds that a thread has to stop. */
const STOP_WAIT = 1_000;

/** Returns the URL of a module beside another: a compiled file in the service, and a file of TypeScript in tests. */
export const moduleBeside = (url: string, name: string): URL => new URL(`${name}${url.slice(url.lastIndexOf('.'))}`, url);

type Asked = { readonly resolve: (answer: unknown) => void; readonly reject: (error: Error) => void };
type Running = { readonly worker: Worker; readonly port: MessagePort; readonly ended: Promise<void> };

/**
 * A thread that answers questions of the main thread. It starts at the first question. A thread that has died is replaced at the
 * next one. Its program calls `answerQuestions`.
 */
export class AnsweringThread<Question, Notice = never> {
  private running: Running | null = null;
  private readonly asked = new Map<number, Asked>();
  private lastId = 0;
  private isClosed = false;

  /** `dataOf` returns what the program reads in `workerData`. */
  constructor(
    private readonly program: URL,
    private readonly dataOf: () => object,
    private readonly clock: Clock,
  ) {}

  /** Resolves with the answer. Rejects with StoreUnavailable if the program throws, or if the thread ends. */
  ask(question: Question): Promise<unknown> {
    if (this.isClosed) return Promise.reject(new StoreUnavailable('the store is closed'));
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

  /** Ends the thread. A thread that is busy for too long, for example making an index, is terminated: it only reads. */
  async close(): Promise<void> {
    this.isClosed = true;
    const { running } = this;
    if (!running) return;
    running.worker.ref();
    this.send({ kind: 'stop' });
    const cancel = this.clock.after(STOP_WAIT, () => void running.worker.terminate());
    await running.ended;
    cancel();
  }

  private send(message: ToThread<Question, Notice>): void {
    this.running?.port.postMessage(message);
  }

  private start(): Running {
    const { port1: port, port2 } = new MessageChannel();
    const workerData = { ...this.dataOf(), program: this.program.href, port: port2 };
    const worker = new Worker(IMPORT_PROGRAM, { eval: true, workerData, transferList: [port2], execArgv: ['--no-warnings'] });
    let failure = 'it was ended';
    worker.on('error', (error: Error) => (failure = error.message));
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve(this.onExit(port, failure))));
    port.on('message', (reply: Reply) => this.onReply(port, reply));
    port.unref();
    worker.unref();
    return { worker, port, ended };
  }

  private onReply(port: MessagePort, { id, answer, failed }: Reply): void {
    const asked = this.asked.get(id);
    this.asked.delete(id);
    if (this.asked.size === 0) port.unref();
    if (failed === undefined) asked?.resolve(answer);
    else asked?.reject(new StoreUnavailable(`a search failed: ${failed}`));
  }

  private onExit(port: MessagePort, failure: string): void {
    port.close();
    this.running = null;
    for (const { reject } of this.asked.values()) reject(new StoreUnavailable(`the thread of searches has ended: ${failure}`));
    this.asked.clear();
  }
}
