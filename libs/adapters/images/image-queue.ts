import { ImagesBusy } from '../../ports/image-processor.port.js';

/** The maximum number of waiting calls of each kind. */
const MAX_WAITING = 32;
/** Milliseconds (contract 37.2). A call that has waited longer is rejected when its turn comes. */
const MAX_WAIT = 10_000;

type WaitingCall = { readonly begin: () => void; readonly reject: (error: Error) => void; readonly since: number };

/** What a call is for: a file that staff upload, or a rendition of a stored image that a reader requests. */
export type CallKind = 'upload' | 'read';

/**
 * Runs calls one at a time. Uploads go first (contract 37.2): readers who request many renditions must not delay the
 * uploads of staff.
 */
export class ImageQueue {
  private readonly waiting: Readonly<Record<CallKind, WaitingCall[]>> = { upload: [], read: [] };
  private isRunning = false;

  /**
   * Runs a call when its turn comes. Rejects with ImagesBusy if too many calls of its kind wait, or if the call has
   * waited too long.
   */
  async run<T>(kind: CallKind, call: () => Promise<T>): Promise<T> {
    if (this.isRunning) await this.wait(this.waiting[kind]);
    this.isRunning = true;
    try {
      return await call();
    } finally {
      this.next();
    }
  }

  private wait(queue: WaitingCall[]): Promise<void> {
    if (queue.length >= MAX_WAITING) throw new ImagesBusy('too many images are waiting to be processed');
    return new Promise((begin, reject) => queue.push({ begin, reject, since: performance.now() }));
  }

  private next(): void {
    for (let call = this.shift(); call; call = this.shift()) {
      // `isRunning` stays set, because this call runs now.
      if (performance.now() - call.since < MAX_WAIT) return call.begin();
      call.reject(new ImagesBusy('an image has waited too long to be processed'));
    }
    this.isRunning = false;
  }

  private shift(): WaitingCall | undefined {
    return this.waiting.upload.shift() ?? this.waiting.read.shift();
  }
}
