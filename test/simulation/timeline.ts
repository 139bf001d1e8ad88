import TinyQueue from 'tinyqueue';

type Step = { readonly at: number; readonly order: number; readonly run: () => void; cancelled: boolean };

/** Lets everything that code has started run on until it waits: all promises, and the immediates of one turn. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * The simulated time, and what happens when. Between two steps nothing happens but what the last step has set off, so the order of
 * the steps is the order of the whole run.
 */
export class Timeline {
  /** Milliseconds since the begin of the run. */
  now = 0;
  /** The number of steps so far. */
  taken = 0;
  private added = 0;
  private readonly steps = new TinyQueue<Step>([], (one, other) => one.at - other.at || one.order - other.order);

  /** Runs `work` after `milliseconds`, after all steps that were added before for the same time. Returns a function that cancels it. */
  after(milliseconds: number, work: () => void): () => void {
    const step = { at: this.now + Math.max(0, milliseconds), order: this.added++, run: work, cancelled: false };
    this.steps.push(step);
    return () => void (step.cancelled = true);
  }

  /** Takes steps until `isDone` returns true or the time is `until`. Calls `afterStep` after each. Returns whether `isDone` was true. */
  async run(until: number, isDone: () => boolean, afterStep: () => void): Promise<boolean> {
    while (!isDone()) {
      const next = this.steps.peek();
      if (!next || next.at > until) {
        this.now = until;
        return false;
      }
      this.steps.pop();
      if (next.cancelled) continue;
      this.now = next.at;
      this.taken++;
      next.run();
      await settle();
      afterStep();
    }
    return true;
  }
}
