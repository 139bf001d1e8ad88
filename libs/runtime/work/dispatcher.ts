import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import { groupOf, type ClaimedWork, type Work, type WorkQueue } from '../../eventsourcing/ports/work-queue.port.js';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';
import { trackOutages } from '../following/outages.js';
import { repeat } from '../following/repeat.js';

/**
 * Milliseconds until a claim expires unless it is extended. If a process crashes, another process can claim its work after this
 * time.
 */
const CLAIM_MILLISECONDS = 10_000;
/** Milliseconds between two extensions of a claim. */
const EXTEND_EVERY = CLAIM_MILLISECONDS / 3;
/** Milliseconds between two polls for due work. */
const POLL_EVERY = 200;
/** Milliseconds until the next poll after a failed one. */
const AFTER_FAILURE = 1_000;
/** Milliseconds between two searches for work that waits too long because the clock of the queue was set back. */
const SHORTEN_EVERY = 600_000;

export type DispatcherOptions = {
  readonly queue: string;
  readonly work: WorkQueue;
  readonly clock: Clock;
  /** The maximum number of pieces of work that run concurrently. */
  readonly maxRunning: number;
  /** The maximum number per lane (receiver), so that a slow receiver does not delay other receivers (contract 20.9). */
  readonly maxPerLane: number;
  /** The maximum number per group of lanes, so that a tenant with many lanes does not delay other tenants (contract 20.9). */
  readonly maxPerGroup: number;
  /**
   * Performs the work, and completes or reschedules it. If the call rejects, the work is claimed and performed again after its
   * claim has expired.
   */
  readonly perform: (work: ClaimedWork) => Promise<void>;
  /** Called with the first failure of each outage. */
  readonly onError: (error: unknown) => void;
};

export type Dispatcher = {
  /** Polls now, because there may be new work. */
  wake(): void;
  /** Claims no further work and waits for the running work. */
  stop(): Promise<void>;
};

/** Starts a dispatcher that performs the due work of a queue concurrently until it is stopped. */
export const startDispatching = (options: DispatcherOptions): Dispatcher => new WorkDispatcher(options);

/** Counts the running pieces of work per lane or group. */
class RunningCounts {
  private readonly counts = new Map<string, number>();

  increment(name: string | null): void {
    if (name !== null) this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  decrement(name: string | null): void {
    if (name === null) return;
    const left = (this.counts.get(name) ?? 1) - 1;
    if (left > 0) this.counts.set(name, left);
    else this.counts.delete(name);
  }

  /** The names that have reached a limit. */
  atLimit(limit: number): readonly string[] {
    return [...this.counts].filter(([, count]) => count >= limit).map(([name]) => name);
  }
}

class WorkDispatcher implements Dispatcher {
  private readonly running = new Set<Promise<void>>();
  private readonly lanes = new RunningCounts();
  private readonly groups = new RunningCounts();
  private readonly pollOutages = trackOutages((error) => this.options.onError(error));
  private readonly workOutages = trackOutages((error) => this.options.onError(error));
  private polling: Promise<void> | null = null;
  /** Whether `wake` was called since the running poll last began to claim work. If so, the poll claims once more. */
  private isWoken = false;
  private stopped = false;
  private cancel = (): void => undefined;
  private readonly stopShortening: () => Promise<void>;

  constructor(private readonly options: DispatcherOptions) {
    this.stopShortening = this.shortenWaits();
    this.wake();
  }

  wake(): void {
    if (this.stopped) return;
    this.isWoken = true;
    this.polling ??= this.poll().finally(() => {
      this.polling = null;
      if (this.isWoken) this.wake();
    });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.cancel();
    await this.stopShortening();
    await this.polling;
    await Promise.all(this.running);
  }

  private shortenWaits(): () => Promise<void> {
    const { clock, work, queue } = this.options;
    const shorten = async (): Promise<number> => {
      await work.shortenWaits(queue);
      this.wake();
      return SHORTEN_EVERY;
    };
    return repeat({
      clock,
      firstDelay: 0,
      work: shorten,
      failureDelay: AFTER_FAILURE,
      onError: (error) => this.pollOutages.reportFailure(error),
    });
  }

  private async poll(): Promise<void> {
    this.cancel();
    let next = POLL_EVERY;
    try {
      while (this.isWoken && !this.stopped) {
        this.isWoken = false;
        await this.claimAll();
      }
      this.pollOutages.reportRecovery();
    } catch (error) {
      this.pollOutages.reportFailure(error);
      this.isWoken = false;
      next = AFTER_FAILURE;
    }
    if (!this.stopped) this.cancel = this.options.clock.after(next, () => this.wake());
  }

  /** Claims one piece of work after another, so that no lane or group exceeds its limit. */
  private async claimAll(): Promise<void> {
    const { queue, work, maxRunning, maxPerLane, maxPerGroup } = this.options;
    while (!this.stopped && this.running.size < maxRunning) {
      const full = [...this.groups.atLimit(maxPerGroup), ...this.lanes.atLimit(maxPerLane)];
      const claimed = await work.claim(queue, CLAIM_MILLISECONDS, full);
      if (!claimed) return;
      this.start(claimed);
      await yieldToEventLoop();
    }
  }

  private start(work: ClaimedWork): void {
    this.lanes.increment(work.lane);
    this.groups.increment(groupOf(work.lane));
    const performed = this.perform(work).then(() => {
      this.running.delete(performed);
      this.release(work);
      this.wake();
    });
    this.running.add(performed);
  }

  private release({ lane }: Work): void {
    this.lanes.decrement(lane);
    this.groups.decrement(groupOf(lane));
  }

  private async perform(work: ClaimedWork): Promise<void> {
    const stopExtending = this.extendClaim(work);
    try {
      await this.options.perform(work);
      this.workOutages.reportRecovery();
    } catch (error) {
      this.workOutages.reportFailure(error);
    } finally {
      await stopExtending();
    }
  }

  private extendClaim(claimed: ClaimedWork): () => Promise<void> {
    const { work, clock } = this.options;
    const extend = async (): Promise<number> => {
      await work.extend(claimed, CLAIM_MILLISECONDS);
      return EXTEND_EVERY;
    };
    const onError = (error: unknown): void => this.workOutages.reportFailure(error);
    return repeat({ clock, firstDelay: EXTEND_EVERY, work: extend, failureDelay: EXTEND_EVERY, onError });
  }
}

/**
 * A queue that notifies listeners in this process of new work, so that the work does not wait for the next poll.
 */
export type NotifyingWorkQueue = WorkQueue & { onEnqueued(listener: (queue: string) => void): void };

/** Adds notifications of new work to a queue. */
export const notifyOnEnqueue = (work: WorkQueue): NotifyingWorkQueue => {
  const listeners: ((queue: string) => void)[] = [];
  return {
    async enqueue(item, milliseconds) {
      const added = await work.enqueue(item, milliseconds);
      if (added) for (const listener of listeners) listener(item.queue);
      return added;
    },
    claim: (...args) => work.claim(...args),
    extend: (...args) => work.extend(...args),
    complete: (...args) => work.complete(...args),
    retryAfter: (...args) => work.retryAfter(...args),
    shortenWaits: (...args) => work.shortenWaits(...args),
    waiting: (...args) => work.waiting(...args),
    onEnqueued: (listener) => void listeners.push(listener),
  };
};
