import type { ParkedKeyStore } from '../../../eventsourcing/consuming/parked-keys.js';
import type { MessagePointer, ParkedKey } from '../../../eventsourcing/ports/messages.port.js';
import { runAsPromise } from '../failures.js';
import type { CommitQueue } from '../commits/commit-queue.js';
import type { ConsumerRecords } from './consumer-records.js';

type ParkedMessagesDependencies = {
  readonly consumer: string;
  readonly records: Pick<ConsumerRecords, keyof ConsumerRecords>;
  readonly queue: Pick<CommitQueue, 'write'>;
  readonly types: readonly string[];
  /** The consumer's position at the start of the process. Earlier processes handled or parked all messages up to `start`. */
  readonly start: number;
};

/**
 * The parked keys of one consumer: a failed message parks its key, and later messages of the key wait. The table has only the
 * first waiting message of each key. The revision of the last waiting message is only in memory, because no other process uses
 * the folder. A restart loses that revision. All messages of a parked key up to `start` then count as waiting.
 */
export class ParkedMessages implements ParkedKeyStore {
  /** The last waiting revision of each key. Messages up to `start` wait even if they are not in this map. */
  private readonly lastWaitingRevisions = new Map<string, number>();
  /** The releases in progress, by key. A message of such a key waits until it is known whether the key is still parked. */
  private readonly releases = new Map<string, Promise<boolean>>();

  constructor(private readonly dependencies: ParkedMessagesDependencies) {}

  all(): Promise<readonly ParkedKey[]> {
    return runAsPromise(() => this.dependencies.records.parked(this.dependencies.consumer));
  }

  count(): Promise<number> {
    return runAsPromise(() => this.dependencies.records.parkedCount(this.dependencies.consumer));
  }

  put(parked: ParkedKey): Promise<void> {
    const { queue, records } = this.dependencies;
    return queue.write(this.keysOf(parked.key), () => records.park(parked), {
      onCommitted: () => this.markWaiting(parked.key, parked.revision),
    });
  }

  async addWaiting({ key, revision }: MessagePointer): Promise<boolean> {
    const { records, consumer } = this.dependencies;
    await this.releases.get(key)?.catch(() => undefined);
    return runAsPromise(() => {
      const isParked = records.isParked(consumer, key);
      if (isParked) this.markWaiting(key, revision);
      return isParked;
    });
  }

  readWaiting(key: string, fromRevision: number): Promise<readonly MessagePointer[]> {
    return runAsPromise(() => {
      const pointer = this.nextWaiting(key, fromRevision);
      return pointer ? [pointer] : [];
    });
  }

  async release(key: string, last: number): Promise<boolean> {
    const { queue, records, consumer } = this.dependencies;
    const unpark = (): boolean => {
      if (this.nextWaiting(key, last + 1)) return false;
      records.unpark(consumer, key);
      return true;
    };
    const release = queue.write(this.keysOf(key), unpark, {
      onCommitted: (isReleased) => void (isReleased && this.lastWaitingRevisions.delete(key)),
    });
    this.releases.set(key, release);
    try {
      return await release;
    } finally {
      this.releases.delete(key);
    }
  }

  private keysOf(key: string): readonly string[] {
    return [`parked ${this.dependencies.consumer} ${key}`];
  }

  private markWaiting(key: string, revision: number): void {
    this.lastWaitingRevisions.set(key, Math.max(this.lastWaitingRevisions.get(key) ?? -1, revision));
  }

  private nextWaiting(key: string, from: number): MessagePointer | null {
    const { records, start, types } = this.dependencies;
    return records.nextWaiting(key, { from, upTo: this.lastWaitingRevisions.get(key) ?? -1, upToPosition: start }, types);
  }
}
