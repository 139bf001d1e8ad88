import type { ParkedKeyStore } from '../../../eventsourcing/consuming/parked-keys.js';
import type { Collection, Documents, StoredDocument } from '../../../eventsourcing/ports/documents.port.js';
import type { MessagePointer, ParkedKey } from '../../../eventsourcing/ports/messages.port.js';

/** The parked keys of all consumers. All members of a group share them. */
const PARKED_KEYS: Collection = {
  name: 'parked_keys',
  version: 1,
  fields: { consumer: 'text', parkedAt: 'text' },
  indexes: [['consumer', 'parkedAt']],
  cells: [],
};

/** More parked keys than an operator can handle. */
const LIMIT = 100_000;

/** The distance between the marks of two revisions. It limits how often a key can be released in between. */
const MARK_DISTANCE = 1_000_000;
/** Returns the mark of a message that was left waiting. It is never 0, which means no mark. */
const skipMark = (revision: number): number => (revision + 1) * MARK_DISTANCE;

/**
 * Reads the waiting messages of a key from the log, from a revision on, a page at a time. `[]` means that
 * there are no more.
 */
export type ReadWaiting = ParkedKeyStore['readWaiting'];

/**
 * Stores parked keys as documents, which all members of a group share.
 *
 * The owner of a key's partition skips its messages, and the process that retries the key reads them from the
 * log. A mark per key ensures that no message is lost in between. Skipping moves the mark to the message's
 * revision and then checks whether the key is still parked. Releasing moves the same mark beyond the last
 * handled message, in the transaction that deletes the key. Whichever is later sees the other, so one of the
 * two handles the message.
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
