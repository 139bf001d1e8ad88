import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import { reasonOf } from '../../../eventsourcing/reason.js';
import type { Log } from '../../../eventsourcing/ports/log.port.js';
import type { ConsumerRecords, LoggedPointer, ParkedMessage } from './consumer-records.js';

/** What waits of a parked stream, and what deals with it. */
export type Waiting = {
  readonly next: (stream: string, revision: number) => LoggedPointer | null | 'stopped';
  readonly handle: (pointer: LoggedPointer) => Promise<void>;
};

/** One consumer's keys that wait, each from its first message that could not be dealt with. */
export class ParkedKeys {
  private readonly parked = new Map<string, ParkedMessage>();

  constructor(
    private readonly consumer: string,
    private readonly parts: { readonly records: ConsumerRecords; readonly clock: Clock; readonly log: Log },
  ) {
    for (const parked of parts.records.parked(consumer)) this.parked.set(parked.key, parked);
  }

  has(key: string): boolean {
    return this.parked.has(key);
  }

  all(): readonly ParkedMessage[] {
    return [...this.parked.values()];
  }

  /** On the disk when it returns. */
  park({ key, stream, revision, type }: LoggedPointer, reason: string): void {
    const { records, clock, log } = this.parts;
    const parked = { consumer: this.consumer, key, stream, revision, reason, parkedAt: clock.now().toISOString() };
    records.park(parked);
    this.parked.set(key, parked);
    log.error({ consumer: this.consumer, key, revision, type, reason }, 'a message failed too often; it and later ones of its key wait');
  }

  /**
   * What waits of one key, in order, each message tried once. The key comes free in the moment nothing more waits;
   * answers whether it did.
   */
  async retry(parked: ParkedMessage, { next, handle }: Waiting): Promise<boolean> {
    let { revision } = parked;
    try {
      for (let pointer = next(parked.stream, revision); pointer !== 'stopped'; pointer = next(parked.stream, revision)) {
        if (pointer === null) return this.free(parked);
        ({ revision } = pointer);
        await handle(pointer);
        revision++;
      }
    } catch (error) {
      this.parkAgain({ ...parked, revision, reason: reasonOf(error) });
    }
    return false;
  }

  private free({ key }: ParkedMessage): true {
    this.parts.records.unpark(this.consumer, key);
    this.parked.delete(key);
    this.parts.log.info({ consumer: this.consumer, key }, 'a parked key came free');
    return true;
  }

  private parkAgain(parked: ParkedMessage): void {
    try {
      this.parts.records.park(parked);
      this.parked.set(parked.key, parked);
    } catch (error) {
      this.parts.log.warn({ consumer: this.consumer, key: parked.key, reason: reasonOf(error) }, 'a key stays parked where it was');
    }
  }
}
