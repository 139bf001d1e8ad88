import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { EncodeOptions } from 'gpt-tokenizer/GptEncoding';

/** The thread's answer: the number of tokens of each text, or why they were not counted. */
type Answer = { readonly tokens: readonly number[] } | { readonly failed: string };

type Waiting = { readonly resolve: (tokens: readonly number[]) => void; readonly reject: (error: Error) => void };

/** Special tokens, such as `<|endoftext|>`, are encoded as plain text. By default, the package rejects a text with them. */
const OPTIONS: EncodeOptions = { disallowedSpecial: new Set() };

/**
 * The source code of the thread. It is a string and not a file, because the path of a file would end in `.js` in the compiled
 * service, but in `.ts` in tests. The cache of rare words is off, because a cached word would keep the whole text in memory.
 */
const SOURCE = `
const { parentPort, workerData } = require('node:worker_threads');
const { encode, setMergeCacheSize } = require(workerData.module);
setMergeCacheSize(0);
parentPort.on('message', (texts) => {
  try {
    parentPort.postMessage({ tokens: texts.map((text) => encode(text, workerData.options).length) });
  } catch (error) {
    parentPort.postMessage({ failed: error.message });
  }
});`;

/**
 * A thread that counts tokens. Loading the table of the package gpt-tokenizer takes a tenth of a second on a fast processor, and
 * more than half a second on a slow or busy one. In the main thread, the first chat would delay all other requests by that time.
 */
export class TokenThread {
  private readonly worker: Worker;
  /** The calls that the thread has not answered, oldest first. The thread answers in the order of the calls. */
  private readonly waiting: Waiting[] = [];
  /** Whether the thread can take another call. */
  isRunning = true;

  constructor() {
    const module = createRequire(import.meta.url).resolve('gpt-tokenizer/encoding/cl100k_base');
    this.worker = new Worker(SOURCE, { eval: true, workerData: { module, options: OPTIONS }, execArgv: ['--no-warnings'] });
    this.worker.on('message', (answer: Answer) => this.onAnswer(answer));
    this.worker.on('error', (error: Error) => this.onEnd(error.message));
    this.worker.on('exit', (code) => this.onEnd(`it ended with code ${code}`));
    this.worker.unref();
  }

  /** Returns the number of tokens of each text. Rejects if the thread fails. */
  count(texts: readonly string[]): Promise<readonly number[]> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      // An idle thread must not keep the process alive, but a waiting call must.
      this.worker.ref();
      this.worker.postMessage(texts);
    });
  }

  private onAnswer(answer: Answer): void {
    const call = this.waiting.shift();
    if (this.waiting.length === 0) this.worker.unref();
    if ('tokens' in answer) call?.resolve(answer.tokens);
    else call?.reject(new Error(answer.failed));
  }

  private onEnd(reason: string): void {
    this.isRunning = false;
    for (const { reject } of this.waiting.splice(0)) reject(new Error(`the thread that counts tokens failed: ${reason}`));
  }
}
