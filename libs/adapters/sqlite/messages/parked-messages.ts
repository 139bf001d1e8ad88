import type { ParkedKeyStore } from '../../../eventsourcing/consuming/parked-keys.js';
import { runAsPromise } from '../failures.js';
import type { ConsumerRecords } from './consumer-records.js';

/** The dependencies of `parkedMessages`. */
export type ParkedMessagesParts = {
  readonly consumer: string;
  readonly records: ConsumerRecords;
  readonly types: readonly string[];
  /** The consumer's position at the start of the process. Earlier processes handled or parked all messages up to `start`. */
  readonly start: number;
};

/**
 * The parked keys of one consumer: a failed message parks its key, and later messages of the key wait. The table has only the
 * first waiting message of each key. The revision of the last waiting message is only in memory, because no other process uses
 * the folder. A restart loses that revision. All messages of a parked key up to `start` then count as waiting.
 */
export const parkedMessages = ({ consumer, records, types, start }: ParkedMessagesParts): ParkedKeyStore => {
  /** The last waiting revision of each key. Messages up to `start` wait even if they are not in this map. */
  const lastWaitingRevisions = new Map<string, number>();
  const markWaiting = (key: string, revision: number): void =>
    void lastWaitingRevisions.set(key, Math.max(lastWaitingRevisions.get(key) ?? -1, revision));
  const nextWaiting = (key: string, from: number) =>
    records.nextWaiting(key, { from, upTo: lastWaitingRevisions.get(key) ?? -1, upToPosition: start }, types);
  return {
    all: () => runAsPromise(() => records.parked(consumer)),
    count: () => runAsPromise(() => records.parkedCount(consumer)),
    put: (parked) =>
      runAsPromise(() => {
        records.park(parked);
        markWaiting(parked.key, parked.revision);
      }),
    addWaiting: ({ key, revision }) =>
      runAsPromise(() => {
        if (!records.isParked(consumer, key)) return false;
        markWaiting(key, revision);
        return true;
      }),
    readWaiting: (key, fromRevision) =>
      runAsPromise(() => {
        const pointer = nextWaiting(key, fromRevision);
        return pointer ? [pointer] : [];
      }),
    release: (key, last) =>
      runAsPromise(() => {
        if (nextWaiting(key, last + 1)) return false;
        records.unpark(consumer, key);
        lastWaitingRevisions.delete(key);
        return true;
      }),
  };
};
