/** A stream that can be paused, like the streams of Node. */
type PausableStream = { pause(): unknown; resume(): unknown };

/**
 * Lets streams take turns. In each turn, one stream reads one piece of data. Other work runs between two turns. Without
 * turns, 20 images that arrive at the same time block all other requests for 100 ms.
 */
export class Turns {
  private readonly waiting: PausableStream[] = [];

  /** Pauses a stream until its next turn. The caller calls this after each piece of data. */
  pauseUntilNextTurn(stream: PausableStream): void {
    stream.pause();
    if (this.waiting.push(stream) === 1) this.schedule();
  }

  private schedule(): void {
    setImmediate(() => {
      this.waiting.shift()?.resume();
      if (this.waiting.length > 0) this.schedule();
    });
  }
}
