import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import { groupOf, type ClaimedWork, type Work, type WorkQueue } from '../../eventsourcing/ports/work-queue.port.js';
import { turn } from '../../eventsourcing/turn.js';
import { outagesTo } from '../../runtime/following/outages.js';
import { repeat } from '../../runtime/following/repeating.js';

/** A claim of work ends after this time unless it is extended; the work of a process that died waits no longer. */
const LEASE = 10_000;
/** Between two times of holding on, in milliseconds. */
const HOLD_EVERY = LEASE / 3;
/** Between two looks for work that has fallen due, in milliseconds. */
const LOOK_EVERY = 200;
/** After a look that failed. */
const AFTER_FAILURE = 1_000;

export type DispatcherOptions = {
  readonly queue: string;
  readonly work: WorkQueue;
  readonly clock: Clock;
  /** How many works are in hand at most. */
  readonly atOnce: number;
  /** How many of one lane: "one slow receiver delays no other". */
  readonly perLane: number;
  /** How many of all lanes beneath one: a tenant with many lanes must not delay the others. */
  readonly perGroup: number;
  /** Does a piece of work and says what becomes of it; when it rejects, the work comes again once its claim is over. */
  readonly perform: (work: ClaimedWork) => Promise<void>;
  /** Told of the first failure of each outage. */
  readonly onError: (error: unknown) => void;
};

export type Dispatcher = {
  /** There may be something new to do. */
  wake(): void;
  /** Claims nothing more and waits for what is in hand. */
  stop(): Promise<void>;
};

/** Does the work of a queue as it falls due, some at once, until stopped. */
export const startDispatching = (dispatching: DispatcherOptions): Dispatcher => new Dispatch(dispatching);

/** How many works each has in hand. */
class Shares {
  private readonly busy = new Map<string, number>();

  take(whose: string | null): void {
    if (whose !== null) this.busy.set(whose, (this.busy.get(whose) ?? 0) + 1);
  }

  give(whose: string | null): void {
    if (whose === null) return;
    const left = (this.busy.get(whose) ?? 1) - 1;
    if (left > 0) this.busy.set(whose, left);
    else this.busy.delete(whose);
  }

  /** Those that have so many, or more. */
  from(share: number): readonly string[] {
    return [...this.busy].filter(([, busy]) => busy >= share).map(([whose]) => whose);
  }
}

class Dispatch implements Dispatcher {
  private readonly inHand = new Set<Promise<void>>();
  private readonly lanes = new Shares();
  private readonly groups = new Shares();
  private readonly looks = outagesTo((error) => this.options.onError(error));
  private readonly deeds = outagesTo((error) => this.options.onError(error));
  private looking: Promise<void> | null = null;
  private again = false;
  private stopped = false;
  private cancel = (): void => undefined;

  constructor(private readonly options: DispatcherOptions) {
    this.wake();
  }

  wake(): void {
    if (this.stopped) return;
    this.again = true;
    this.looking ??= this.look().finally(() => {
      this.looking = null;
      if (this.again) this.wake();
    });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.cancel();
    await this.looking;
    await Promise.all(this.inHand);
  }

  private async look(): Promise<void> {
    this.cancel();
    let next = LOOK_EVERY;
    try {
      while (this.again && !this.stopped) {
        this.again = false;
        await this.claimAll();
      }
      this.looks.over();
    } catch (error) {
      this.looks.failed(error);
      this.again = false;
      next = AFTER_FAILURE;
    }
    if (!this.stopped) this.cancel = this.options.clock.after(next, () => this.wake());
  }

  /** One at a time, so that nobody ever has more than their share in hand. */
  private async claimAll(): Promise<void> {
    const { queue, work, atOnce, perLane, perGroup } = this.options;
    while (!this.stopped && this.inHand.size < atOnce) {
      const full = [...this.groups.from(perGroup), ...this.lanes.from(perLane)];
      const claimed = await work.claim(queue, LEASE, full);
      if (!claimed) return;
      this.begin(claimed);
      await turn();
    }
  }

  private begin(work: ClaimedWork): void {
    this.lanes.take(work.lane);
    this.groups.take(groupOf(work.lane));
    const deed = this.perform(work).then(() => {
      this.inHand.delete(deed);
      this.leave(work);
      this.wake();
    });
    this.inHand.add(deed);
  }

  private leave({ lane }: Work): void {
    this.lanes.give(lane);
    this.groups.give(groupOf(lane));
  }

  private async perform(work: ClaimedWork): Promise<void> {
    const letGo = this.hold(work);
    try {
      await this.options.perform(work);
      this.deeds.over();
    } catch (error) {
      this.deeds.failed(error);
    } finally {
      await letGo();
    }
  }

  private hold(claimed: ClaimedWork): () => Promise<void> {
    const { work, clock } = this.options;
    const extend = async (): Promise<number> => {
      await work.extend(claimed, LEASE);
      return HOLD_EVERY;
    };
    return repeat({ clock, first: HOLD_EVERY, work: extend, afterFailure: HOLD_EVERY, onError: (error) => this.deeds.failed(error) });
  }
}

/** A queue that tells, within this process, when something was put into it: nobody waits for the next look. */
export type NotifyingWorkQueue = WorkQueue & { onEnqueued(listener: (queue: string) => void): void };

/** Wakes the process that does the work. */
export const notifyOnEnqueue = (work: WorkQueue): NotifyingWorkQueue => {
  const listeners: ((queue: string) => void)[] = [];
  return {
    async enqueue(piece, due) {
      const added = await work.enqueue(piece, due);
      if (added) for (const listener of listeners) listener(piece.queue);
      return added;
    },
    claim: (...asked) => work.claim(...asked),
    extend: (...asked) => work.extend(...asked),
    complete: (...asked) => work.complete(...asked),
    retryAt: (...asked) => work.retryAt(...asked),
    onEnqueued: (listener) => void listeners.push(listener),
  };
};
