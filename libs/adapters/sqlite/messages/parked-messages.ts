import type { ParkedKeyStore } from '../../../eventsourcing/consuming/parked-keys.js';
import { runAsPromise } from '../failures.js';
import type { ConsumerRecords } from './consumer-records.js';

export type ParkedMessagesParts = {
  readonly consumer: string;
  readonly records: ConsumerRecords;
  readonly types: readonly string[];
  /** The consumer's position when the process began. An earlier process handled or parked all messages before it. */
  readonly start: number;
};

/** The parked keys of one consumer in the folder. Only one process uses a folder, so waiting messages are remembered in memory. */
export const parkedMessages = ({ consumer, records, types, start }: ParkedMessagesParts): ParkedKeyStore => {
  /** The last revision of each key that this process left waiting. */
  const left = new Map<string, number>();
  const leave = (key: string, revision: number): void => void left.set(key, Math.max(left.get(key) ?? -1, revision));
  const next = (key: string, from: number) => records.next(key, { from, upTo: left.get(key) ?? -1, orBefore: start }, types);
  return {
    all: () => runAsPromise(() => records.parked(consumer)),
    count: () => runAsPromise(() => records.parkedCount(consumer)),
    put: (parked) =>
      runAsPromise(() => {
        records.park(parked);
        leave(parked.key, parked.revision);
      }),
    addWaiting: ({ key, revision }) =>
      runAsPromise(() => {
        if (!records.isParked(consumer, key)) return false;
        leave(key, revision);
        return true;
      }),
    readWaiting: (key, fromRevision) =>
      runAsPromise(() => {
        const pointer = next(key, fromRevision);
        return pointer ? [pointer] : [];
      }),
    release: (key, last) =>
      runAsPromise(() => {
        if (next(key, last + 1)) return false;
        records.unpark(consumer, key);
        left.delete(key);
        return true;
      }),
  };
};
