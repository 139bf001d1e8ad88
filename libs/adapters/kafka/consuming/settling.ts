import { StoreUnavailable } from '../../../eventsourcing/ports/event-store.port.js';
import type { GroupOffsets } from './group-offsets.js';

type Waiter = {
  /** Where each partition ended when it was asked; null while the brokers have not said. */
  ends: ReadonlyMap<string, number> | null;
  readonly done: () => void;
  readonly failed: (error: Error) => void;
};

/**
 * Tells when a group has dealt with everything that was there: this member knows of its own partitions, and the brokers
 * know what the others have stored.
 */
export class Settling {
  private readonly waiters = new Set<Waiter>();
  private looking = false;
  private again = false;
  private ended = false;

  constructor(
    private readonly offsets: GroupOffsets,
    private readonly groupId: string,
    /** How far this member has come in a partition; null where it knows nothing of it. */
    private readonly own: (place: string) => number | null,
  ) {}

  settled(): Promise<void> {
    return new Promise((done, failed) => {
      this.waiters.add({ ends: null, done, failed });
      this.look();
    });
  }

  /** Something may have changed. */
  look(): void {
    if (this.waiters.size === 0) return;
    if (this.looking) {
      this.again = true;
      return;
    }
    this.looking = true;
    // What the brokers do not answer now is asked at the next look.
    void this.lookNow()
      .catch(() => undefined)
      .then(() => {
        this.looking = false;
        if (this.ended) this.giveUp();
        else if (this.again) this.look();
      });
  }

  /** Nothing more is dealt with here: callers that still wait are told so. */
  end(): void {
    this.ended = true;
    if (!this.looking) this.giveUp();
  }

  private async lookNow(): Promise<void> {
    this.again = false;
    for (const waiter of this.waiters) {
      waiter.ends ??= new Map([...(await this.offsets.ends())].map(([place, { high }]) => [place, high]));
      const behind = [...waiter.ends].filter(([place, end]) => (this.own(place) ?? 0) < end);
      if (behind.length > 0) {
        const stored = await this.offsets.committed(this.groupId);
        if (behind.some(([place, end]) => (stored.get(place) ?? 0) < end)) continue;
      }
      this.waiters.delete(waiter);
      waiter.done();
    }
  }

  private giveUp(): void {
    for (const { failed } of this.waiters) failed(new StoreUnavailable('the subscription was stopped before it had dealt with everything'));
    this.waiters.clear();
  }
}
