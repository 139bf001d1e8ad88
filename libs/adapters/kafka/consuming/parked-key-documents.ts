import type { ParkedKeyStore } from '../../../eventsourcing/consuming/parked-keys.js';
import type { Collection, Documents, StoredDocument } from '../../../eventsourcing/ports/documents.port.js';
import type { MessagePointer, ParkedKey } from '../../../eventsourcing/ports/messages.port.js';

/** The keys that wait, of all consumers: shared by all members of a group, and longer-lived than any of them. */
const PARKED_KEYS: Collection = {
  name: 'parked_keys',
  version: 1,
  fields: { consumer: 'text', parkedAt: 'text' },
  indexes: [['consumer', 'parkedAt']],
  cells: [],
};

/** Far more than anyone can look after. */
const MOST = 100_000;

/** Between the marks of two revisions there is room for setting the key free so often. */
const ROOM = 1_000_000;
/** Where the mark stands that a message was passed over: never 0, which is no mark. */
const passed = (revision: number): number => (revision + 1) * ROOM;

/** Reads what stands in the log of a key, from a revision on, in pieces; `[]` is the end. */
export type ReadWaiting = ParkedKeyStore['readWaiting'];

/**
 * Parked keys as documents, which all members of a group share.
 *
 * The owner of a key's partition passes over its messages, and the process that retries the key handles them from the
 * log. That none falls between the two, passing over moves a mark to the message's revision before it looks whether
 * the key still waits, and setting free moves the same mark in the step that ends the waiting, to between the last message
 * that was handled and the next: of the two the later one sees the other, and either goes on with the message.
 */
export const parkedKeyDocuments = (consumer: string, documents: Documents, waiting: ReadWaiting): ParkedKeyStore => {
  const idOf = (key: string): string => `${consumer}/${key}`;
  const markOf = (key: string): string => `parked:${consumer}/${key}`;
  return {
    readWaiting: waiting,
    async all() {
      await documents.prepare(PARKED_KEYS);
      const find = { where: { consumer }, sort: ['parkedAt'], limit: MOST, offset: 0 };
      return (await documents.find(PARKED_KEYS, find)).map(({ json }) => JSON.parse(json) as ParkedKey);
    },
    async count() {
      await documents.prepare(PARKED_KEYS);
      return documents.count(PARKED_KEYS, { consumer });
    },
    async put(parked) {
      const { key, parkedAt, revision } = parked;
      const document: StoredDocument = { key: idOf(key), json: JSON.stringify(parked), fields: { consumer, parkedAt }, revision };
      await documents.apply([{ kind: 'put', collection: PARKED_KEYS, document }]);
    },
    async addWaiting({ key, revision }: MessagePointer) {
      await documents.apply([], { name: markOf(key), position: passed(revision) });
      return (await documents.get(PARKED_KEYS, idOf(key))) !== null;
    },
    async release(key, last) {
      const unpark = { kind: 'delete', collection: PARKED_KEYS, key: idOf(key) } as const;
      for (;;) {
        const mark = await documents.checkpoint(markOf(key));
        if (mark >= passed(last + 1)) return false;
        const position = Math.max(passed(last), mark) + 1;
        if (await documents.apply([unpark], { name: markOf(key), position })) return true;
      }
    },
  };
};
