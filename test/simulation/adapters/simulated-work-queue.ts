import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';
import {
  DONE_MILLISECONDS,
  isLaneOf,
  type ClaimedWork,
  type Work,
  type WorkQueue,
} from '../../../libs/eventsourcing/ports/work-queue.port.js';
import type { Link } from '../link.js';

/** Work that is not done. */
type PendingWork = {
  readonly work: Work;
  attempt: number;
  retries: number;
  /** The work may be claimed from this time on: its due time, or the end of the current claim. */
  next: number;
  /** Milliseconds between the last change of `next` and `next`. */
  wait: number;
};

type Queue = {
  readonly pending: Map<string, PendingWork>;
  /** When work was done, by its id. */
  readonly done: Map<string, number>;
};

/** Stores work. `clock` is the one clock of the queue: that of a database for all processes, or that of an embedded store. */
export class WorkQueueServer {
  private readonly queues = new Map<string, Queue>();

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  enqueue(work: Work, milliseconds: number): boolean {
    const { pending, done } = this.queueOf(work.queue);
    const doneAt = done.get(work.id) ?? -Infinity;
    if (pending.has(work.id) || doneAt >= this.now() - DONE_MILLISECONDS) return false;
    pending.set(work.id, { work, attempt: 0, retries: 0, next: this.now() + milliseconds, wait: milliseconds });
    return true;
  }

  claim(queue: string, milliseconds: number, except: readonly string[]): ClaimedWork | null {
    const now = this.now();
    let first: PendingWork | null = null;
    for (const each of this.queueOf(queue).pending.values())
      if (each.next <= now && (!first || each.next < first.next) && !isLaneOf(each.work.lane, except)) first = each;
    if (!first) return null;
    first.attempt++;
    this.wait(first, milliseconds);
    return { ...first.work, attempt: first.attempt, retries: first.retries };
  }

  extend(claimed: ClaimedWork, milliseconds: number): boolean {
    const found = this.stillClaimed(claimed);
    if (found) this.wait(found, milliseconds);
    return found !== null;
  }

  complete(claimed: ClaimedWork): boolean {
    if (!this.stillClaimed(claimed)) return false;
    const { pending, done } = this.queueOf(claimed.queue);
    pending.delete(claimed.id);
    done.set(claimed.id, this.now());
    return true;
  }

  retryAfter(claimed: ClaimedWork, milliseconds: number): boolean {
    const found = this.stillClaimed(claimed);
    if (!found) return false;
    found.retries++;
    this.wait(found, milliseconds);
    return true;
  }

  shortenWaits(queue: string): void {
    const now = this.now();
    for (const each of this.queueOf(queue).pending.values())
      if (each.next > now && each.next - each.wait > now) each.next = now + each.wait;
  }

  waiting(queue: string, limit: number): readonly ClaimedWork[] {
    const first = [...this.queueOf(queue).pending.values()].toSorted((a, b) => a.next - b.next).slice(0, limit);
    return first.map(({ work, attempt, retries }) => ({ ...work, attempt, retries }));
  }

  makeDue(queue: string): void {
    const now = this.now();
    for (const each of this.queueOf(queue).pending.values()) each.next = Math.min(each.next, now);
  }

  /** Returns whether all work is done, of one queue or of all. */
  isEmpty(queue?: string): boolean {
    if (queue !== undefined) return this.queueOf(queue).pending.size === 0;
    return [...this.queues.values()].every(({ pending }) => pending.size === 0);
  }

  /** Returns the work if no later claim has taken it, and it is not done. */
  private stillClaimed({ queue, id, attempt }: ClaimedWork): PendingWork | null {
    const found = this.queueOf(queue).pending.get(id);
    return found?.attempt === attempt ? found : null;
  }

  private wait(work: PendingWork, milliseconds: number): void {
    work.wait = milliseconds;
    work.next = this.now() + milliseconds;
  }

  private queueOf(name: string): Queue {
    let queue = this.queues.get(name);
    if (!queue) this.queues.set(name, (queue = { pending: new Map(), done: new Map() }));
    return queue;
  }

  private now(): number {
    return this.clock.now().getTime();
  }
}

/** Returns the queue as one process uses it. `makeDue` belongs to the embedded profile. */
export const simulatedWorkQueue = (server: WorkQueueServer, link: Link): WorkQueue & { makeDue(queue: string): Promise<void> } => ({
  enqueue: (work, milliseconds = 0) => link(`enqueue ${nameOf(work)}`, () => server.enqueue(work, milliseconds)),
  // Most polls of a simulation find an empty queue. They do not travel, because a run with them takes twice as long.
  claim: (queue, milliseconds, except = []) =>
    server.isEmpty(queue) ? Promise.resolve(null) : link(`claim ${queue}`, () => server.claim(queue, milliseconds, except)),
  extend: (work, milliseconds) => link(`extend ${nameOf(work)}`, () => server.extend(work, milliseconds)),
  complete: (work) => link(`complete ${nameOf(work)}`, () => server.complete(work)),
  retryAfter: (work, milliseconds) => link(`retry ${nameOf(work)}`, () => server.retryAfter(work, milliseconds)),
  shortenWaits: (queue) => link(`shorten the waits of ${queue}`, () => server.shortenWaits(queue)),
  waiting: (queue, limit) => link(`read the waiting work of ${queue}`, () => server.waiting(queue, limit)),
  makeDue: (queue) => link(`make ${queue} due`, () => server.makeDue(queue)),
});

const nameOf = ({ queue, id }: Work): string => `${queue}/${id}`;
