import type { ParkedKeyStore } from '../../../eventsourcing/consuming/parked-keys.js';
import type { Collection, Documents, StoredDocument } from '../../../eventsourcing/ports/documents.port.js';
import type { MessagePointer, ParkedKey } from '../../../eventsourcing/ports/messages.port.js';

/** The collection of parked keys of all consumers. */
const PARKED_KEYS: Collection = {
  name: 'parked_keys',
  version: 1,
  fields: { consumer: 'text', parkedAt: 'text' },
  indexes: [['consumer', 'parkedAt']],
  cells: [],
};

/** The maximum number of listed keys: more than an operator can handle. */
const LIMIT = 100_000;

/**
 * The distance between the marks of two successive revisions. It limits how often a key can be released
 * between two of its messages.
 */
const MARK_DISTANCE = 1_000_000;
/** Returns the mark of a skipped message. It is never 0, because 0 means that there is no mark. */
const skipMark = (revision: number): number => (revision + 1) * MARK_DISTANCE;

/**
 * Reads a page of the waiting messages of a key from the log, starting at a revision. Returns `[]` after the
 * last one.
 */
export type ReadWaiting = ParkedKeyStore['readWaiting'];

/**
 * Stores parked keys as documents, which all members of a group share.
 *
 * The member that owns a key's partition skips the messages of the key. The process that retries the key
 * reads them from the log. Each key has a mark, so that the member and the process never both miss a message.
 * To skip a message, the member moves the mark to its revision, and then checks whether the key is still
 * parked. To release a key, the process moves the mark after the last handled message, in the transaction
 * that deletes the key. The later of the two detects the other, and handles the message.
 */
export const parkedKeyDocuments = (consumer: string, documents: Documents, waiting: ReadWaiting): ParkedKeyStore => {
  const idOf = (key: string): string => `${consumer}/${key}`;
  const markOf = (key: string): string => `parked:${consumer}/${key}`;
  return {
    readWaiting: waiting,
    async all() {
      await documents.prepare(PARKED_KEYS);
      const find = { where: { consumer }, sort: ['parkedAt'], limit: LIMIT, offset: 0 };
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
      await documents.apply([], { name: markOf(key), position: skipMark(revision) });
      return (await documents.get(PARKED_KEYS, idOf(key))) !== null;
    },
    async release(key, last) {
      const unpark = { kind: 'delete', collection: PARKED_KEYS, key: idOf(key) } as const;
      for (;;) {
        const mark = await documents.checkpoint(markOf(key));
        if (mark >= skipMark(last + 1)) return false;
        const position = Math.max(skipMark(last), mark) + 1;
        if (await documents.apply([unpark], { name: markOf(key), position })) return true;
      }
    },
  };
};
