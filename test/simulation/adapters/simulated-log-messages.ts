import {
  pointerOf,
  type ConsumerRecords,
  type LoggedPointer,
  type WaitingRange,
} from '../../../libs/adapters/sqlite/messages/consumer-records.js';
import type { GroupDependencies } from '../../../libs/adapters/sqlite/messages/consumer-group.js';
import { SqliteMessages } from '../../../libs/adapters/sqlite/messages/sqlite-messages.js';
import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';
import type { StoredEvent } from '../../../libs/eventsourcing/ports/event-store.port.js';
import type { Log } from '../../../libs/eventsourcing/ports/log.port.js';
import type { ParkedKey } from '../../../libs/eventsourcing/ports/messages.port.js';
import type { Link } from '../link.js';
import type { LogServer } from './simulated-event-store.js';

/** The tables of consumers in the folder of the embedded profile: positions and parked keys. They outlive the process. */
export class ConsumerServer implements Pick<ConsumerRecords, keyof ConsumerRecords> {
  private readonly positions = new Map<string, number>();
  private readonly parkedKeys = new Map<string, Map<string, ParkedKey>>();
  private stopListening = (): void => undefined;

  constructor(readonly log: LogServer) {}

  /** Calls `onAppended` in each append. The process that opened the folder before has ended, so its function is not called again. */
  open(onAppended: () => void): void {
    this.stopListening();
    this.stopListening = this.log.onAppended(onAppended);
  }

  messages(after: number, upTo: number, types: readonly string[]): readonly LoggedPointer[] {
    return this.log
      .readAll(after, upTo - after)
      .filter(({ type }) => types.includes(type))
      .map(pointerOf);
  }

  nextWaiting(stream: string, { from, upTo, upToPosition }: WaitingRange, types: readonly string[]): LoggedPointer | null {
    const isWaiting = ({ revision, position, type }: StoredEvent): boolean =>
      (revision <= upTo || position <= upToPosition) && types.includes(type);
    const event = this.log.readStream(stream, from).find(isWaiting);
    return event ? pointerOf(event) : null;
  }

  position(consumer: string): number {
    return this.positions.get(consumer) ?? 0;
  }

  storePosition(consumer: string, position: number): void {
    this.positions.set(consumer, position);
  }

  parked(consumer: string): readonly ParkedKey[] {
    return [...(this.parkedKeys.get(consumer)?.values() ?? [])].sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
  }

  parkedCount(consumer: string): number {
    return this.parkedKeys.get(consumer)?.size ?? 0;
  }

  allParked(): readonly ParkedKey[] {
    return [...this.parkedKeys.values()].flatMap((keys) => [...keys.values()]);
  }

  isParked(consumer: string, key: string): boolean {
    return this.parkedKeys.get(consumer)?.has(key) ?? false;
  }

  park(parked: ParkedKey): void {
    const { consumer, key } = parked;
    const keys = this.parkedKeys.get(consumer) ?? new Map<string, ParkedKey>();
    this.parkedKeys.set(consumer, keys.set(key, { ...parked, parkedAt: keys.get(key)?.parkedAt ?? parked.parkedAt }));
  }

  unpark(consumer: string, key: string): void {
    this.parkedKeys.get(consumer)?.delete(key);
  }
}

/**
 * The messages of one process: the real adapter on simulated tables. As in a folder, reads are synchronous, and each append also
 * stores the positions of consumers. Only the other writes are calls of `link`.
 */
export const simulatedLogMessages = (
  server: ConsumerServer,
  link: Link,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): SqliteMessages => {
  const listeners = new Set<() => void>();
  const messages = new SqliteMessages({
    records: server,
    writer: {
      head: () => server.log.head(),
      // Any answer but false is right.
      mayContain: () => true,
      onChange(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    queue: inOrder(link),
    clock,
    log,
  });
  server.open(() => {
    messages.onAppended();
    messages.onCommitted();
    // The timers of a process end with it. A listener that were called directly would go on to consume in an ended process.
    clock.after(0, () => {
      for (const listener of [...listeners]) listener();
    });
  });
  return messages;
};

/** Returns a queue of commits. Each write is a commit, and starts when the previous one has ended. */
const inOrder = (link: Link): GroupDependencies['queue'] => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    write(keys, work, { onCommitted } = {}) {
      const commit = (): ReturnType<typeof work> => {
        const result = work();
        onCommitted?.(result);
        return result;
      };
      const written = last.then(() => link(`write ${String(keys)}`, commit));
      last = written.catch(() => undefined);
      return written;
    },
  };
};

const orderOf = ({ parkedAt, key }: ParkedKey): string => `${parkedAt} ${key}`;
