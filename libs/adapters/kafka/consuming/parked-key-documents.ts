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
 * The distance between the marks of two successive messages of a key. `parkedKeyDocuments` explains marks. A release sets
 * the mark of the key to a value between the marks of the last handled message and the next message.
 */
const MARK_DISTANCE = 1_000_000;
/** Returns the mark of a skipped message. It is never 0, because 0 means that the key has no mark. */
const skipMark = (revision: number): number => (revision + 1) * MARK_DISTANCE;

/** Returns the parked keys of all consumers, in the order in which they were parked. */
export const readParkedKeys = async (documents: Pick<Documents, 'prepare' | 'texts'>): Promise<readonly ParkedKey[]> => {
  await documents.prepare(PARKED_KEYS);
  const texts = await documents.texts(PARKED_KEYS, { where: {}, sort: ['consumer', 'parkedAt'], limit: LIMIT, offset: 0 });
  return texts.map((text) => JSON.parse(text) as ParkedKey).sort((a, b) => (a.parkedAt < b.parkedAt ? -1 : 1));
};

/**
 * Reads a page of the waiting messages of a key from the log, starting at a revision. Returns `[]` if no message
 * waits from that revision on.
 */
export type ReadWaiting = ParkedKeyStore['readWaiting'];

/**
 * Stores parked keys as documents, which all members of a group share. A key is parked when one of its messages cannot be
 * handled. Later messages of the key wait for the retry of that message.
 *
 * The member that owns a key's partition skips the later messages. The process that retries the key reads them from the
 * log. The mark of the key is a number that only increases, and is stored as a checkpoint. It ensures that exactly one of
 * the two handles each message.
 *
 * To skip a message, the member moves the mark to that message, and then checks whether the key is still parked. To
 * release a key, the retrying process moves the mark past the message that it handled last. The same transaction deletes
 * the key. If the member moves the mark first, the release fails, and the retrying process also handles the skipped
 * message. If the retrying process moves the mark first, the member finds no parked key, and handles the message itself.
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
      // If the mark is already higher, `apply` changes nothing. That is no failure: only the check in the next line matters.
      await documents.apply([], { name: markOf(key), position: skipMark(revision) });
      return (await documents.get(PARKED_KEYS, idOf(key))) !== null;
    },
    async release(key, last) {
      const unpark = { kind: 'delete', collection: PARKED_KEYS, key: idOf(key) } as const;
      for (;;) {
        const mark = await documents.checkpoint(markOf(key));
        if (mark >= skipMark(last + 1)) return false;
        const position = Math.max(skipMark(last), mark) + 1;
        // If a member moves the mark meanwhile, `apply` returns false, and the mark is read again.
        if (await documents.apply([unpark], { name: markOf(key), position })) return true;
      }
    },
  };
};
