import { spawn, type ChildProcess } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import { releaseMemory } from '../../eventsourcing/scheduling/release-memory.js';
import { ImagesBusy } from '../../ports/image-processor.port.js';
import type { ImageAnswer, ImageCall } from './image-call.js';

/** The path of the child process's program. Its extension is that of this file: `.js` when compiled, `.ts` in tests. */
const PROGRAM = fileURLToPath(new URL(`./image-process${extname(import.meta.url)}`, import.meta.url));

/**
 * Milliseconds (contract 37.2). The process is killed when a call takes longer. A photo of 12 million pixels takes about
 * half a second.
 */
const MAX_DURATION = 15_000;
/** Milliseconds. A process that gets no call for this time is killed, which frees its memory. */
const MAX_IDLE = 60_000;

/** The answer to a call, with the bytes of an encoded image. */
type WorkerAnswer = Extract<ImageAnswer, { kind: 'fault' }> | (Extract<ImageAnswer, { kind: 'encoded' }> & { readonly image: Buffer });

/**
 * Runs calls in a child process, one at a time, because a decoder may take long, crash, or use hundreds of MB. After a
 * failed or slow call the process is killed, and the next call starts a new process.
 */
export class ImageWorker {
  private child: ImageProcess | null = null;
  private idle: NodeJS.Timeout | undefined;

  constructor(private readonly clock: Pick<Clock, 'after'>) {}

  /**
   * Runs a call. The caller must not begin another call before this one ends. Rejects with ImagesBusy if the call takes
   * longer than MAX_DURATION, or if the process ends.
   */
  async run(file: Uint8Array, call: Omit<ImageCall, 'bytes'>): Promise<WorkerAnswer> {
    clearTimeout(this.idle);
    const child = (this.child ??= this.start());
    keepRunning(child, true);
    const stop = new AbortController();
    const ended = (): void => stop.abort(new ImagesBusy('the image process has ended'));
    const cancelTimeout = this.clock.after(MAX_DURATION, () => stop.abort(new ImagesBusy('an image took too long to be processed')));
    child.once('exit', ended).once('error', ended);
    try {
      return await answerOf(child, file, { ...call, bytes: file.length }, stop.signal);
    } catch (error) {
      this.end(child);
      throw stop.signal.aborted ? stop.signal.reason : error;
    } finally {
      cancelTimeout();
      child.off('exit', ended).off('error', ended);
      keepRunning(child, false);
      this.idle = setTimeout(() => this.end(child), MAX_IDLE).unref();
    }
  }

  private start(): ImageProcess {
    // The environment of the service has secrets, so the process gets an empty one.
    const child = spawn(process.execPath, ['--no-warnings', PROGRAM], {
      stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
      env: {},
    }) as ImageProcess;
    const end = (): void => this.end(child);
    child.on('exit', end).on('error', end);
    // A write to a process that has ended emits an error. Without a listener, the error would be thrown in the service.
    child.stdin.on('error', end);
    return child;
  }

  private end(child: ImageProcess): void {
    child.kill('SIGKILL');
    if (this.child === child) this.child = null;
  }
}

type ImageProcess = ChildProcess & { readonly stdin: Writable; readonly stdout: Readable };

/** Sets whether the image process, its channel and its pipes keep this process running. They do so only during a call. */
const keepRunning = (child: ImageProcess, isCalled: boolean): void => {
  const handles = [child, child.channel, child.stdin as unknown as Socket, child.stdout as unknown as Socket];
  for (const handle of handles)
    if (isCalled) handle?.ref();
    else handle?.unref();
};

/** Sends a call to the process, and returns the answer. */
const answerOf = async (child: ImageProcess, file: Uint8Array, call: ImageCall, signal: AbortSignal): Promise<WorkerAnswer> => {
  const answered = once(child, 'message', { signal });
  child.send(call);
  child.stdin.write(file);
  const [answer] = (await answered) as [ImageAnswer];
  // After this function has returned, the caller may release the file's memory. In place of unsent bytes, other data of the
  // service could then be sent. A hostile image that controls the decoder could answer early to get that data.
  if (child.stdin.writableLength > 0) throw new ImagesBusy('the image process answered before it had the whole file');
  if (answer.kind === 'fault') return answer;
  const image = Buffer.allocUnsafeSlow(answer.bytes);
  for (let length = 0; length < image.length;) {
    const piece = child.stdout.read() as Buffer | null;
    if (!piece) await once(child.stdout, 'readable', { signal });
    else {
      length += piece.copy(image, length);
      releaseMemory(piece);
    }
  }
  return { ...answer, image };
};
