import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import type { Collection, Documents, StoredDocument } from '../../../eventsourcing/ports/documents.port.js';
import type { MessagePointer, ParkedKey } from '../../../eventsourcing/ports/messages.port.js';
import { reasonOf } from '../../../eventsourcing/reason.js';
import type { Log } from '../../../eventsourcing/ports/log.port.js';

/** The keys that wait, of all consumers: shared by all members of a group, and longer-lived than any of them. */
export const PARKED_KEYS: Collection = {
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

/** What waits of a key from a revision on, in order, as far as is known now; in pieces as long as the reader likes. `[]` is the end. */
export type ReadWaiting = (key: string, fromRevision: number) => Promise<readonly MessagePointer[]>;

export type ParkedKeysParts = {
  readonly documents: Documents;
  readonly waiting: ReadWaiting;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * One consumer's keys that wait, each from its first message that could not be dealt with. They rest as documents.
 *
 * The owner of a key's partition passes over its messages, and the process that retries the key handles them from the
 * log. That none falls between the two, passing over moves a mark to the message's revision before it looks whether
 * the key still waits, and setting free moves the same mark in the step that ends the waiting, to between the last message
 * that was handled and the next: of the two the later one sees the other, and either goes on with the message.
 */
export class ParkedKeys {
  private known: Promise<Set<string>> | null = null;

  constructor(
    private readonly consumer: string,
    private readonly parts: ParkedKeysParts,
  ) {}

  /** Forgets what is remembered: what others have parked meanwhile is to be seen. */
  lookAgain(): void {
    this.known = null;
  }

  /** Every key that waits, the longest waiting first. */
  async all(): Promise<readonly ParkedKey[]> {
    const { documents } = this.parts;
    await documents.prepare(PARKED_KEYS);
    const find = { where: { consumer: this.consumer }, sort: ['parkedAt'], limit: MOST, offset: 0 };
    return (await documents.find(PARKED_KEYS, find)).map(({ json }) => JSON.parse(json) as ParkedKey);
  }

  /** Whether a message has to wait with its key. When it does, the retry of the key handles it. */
  async keepsWaiting({ key, revision }: MessagePointer): Promise<boolean> {
    const known = await this.remembered();
    if (!known.has(key)) return false;
    const { documents } = this.parts;
    await documents.apply([], { name: this.markOf(key), position: passed(revision) });
    if (await documents.get(PARKED_KEYS, this.idOf(key))) return true;
    known.delete(key);
    return false;
  }

  /** Durable when it resolves. */
  async park({ key, revision, type }: MessagePointer, reason: string): Promise<void> {
    const { clock, log } = this.parts;
    await this.put({ consumer: this.consumer, key, revision, reason, parkedAt: clock.now().toISOString() });
    // Reading all of them anew for each would be a read of all for each; where they cannot be read they are read anew anyway.
    await this.known?.then((known) => known.add(key)).catch(() => undefined);
    log.error({ consumer: this.consumer, key, revision, type, reason }, 'a message failed too often; it and later ones of its key wait');
  }

  /** What waits of one key, in order, each message tried once; answers whether the key came free. */
  async retry(parked: ParkedKey, handle: (pointer: MessagePointer) => Promise<void>): Promise<boolean> {
    let { revision } = parked;
    try {
      for (;;) {
        const waiting = await this.parts.waiting(parked.key, revision);
        for (const pointer of waiting) {
          ({ revision } = pointer);
          await handle(pointer);
          revision++;
        }
        if (waiting.length > 0) continue;
        const freed = await this.free(parked.key, revision - 1);
        if (freed !== 'later ones wait') return freed;
      }
    } catch (error) {
      await this.parkAgain({ ...parked, revision, reason: reasonOf(error) });
      return false;
    }
  }

  /** Sets a key free of which everything up to `last` is dealt with, unless a later message was passed over meanwhile. */
  private async free(key: string, last: number): Promise<boolean | 'later ones wait'> {
    const { documents, waiting, log } = this.parts;
    const mark = await documents.checkpoint(this.markOf(key));
    // Passed over, so it is in the log; a reader that does not see it yet leaves the key parked.
    if (mark >= passed(last + 1)) return (await waiting(key, last + 1)).length > 0 ? 'later ones wait' : false;
    const position = Math.max(passed(last), mark) + 1;
    const unpark = { kind: 'delete', collection: PARKED_KEYS, key: this.idOf(key) } as const;
    if (!(await documents.apply([unpark], { name: this.markOf(key), position }))) return 'later ones wait';
    // Still remembered: the next message of the key is the one that finds it free.
    log.info({ consumer: this.consumer, key }, 'a parked key came free');
    return true;
  }

  private async parkAgain(parked: ParkedKey): Promise<void> {
    try {
      await this.put(parked);
    } catch (error) {
      const { consumer, key } = parked;
      this.parts.log.warn({ consumer, key, reason: reasonOf(error) }, 'a key stays parked where it was');
    }
  }

  private async put(parked: ParkedKey): Promise<void> {
    const { consumer, key, parkedAt, revision } = parked;
    const fields = { consumer, parkedAt };
    const document: StoredDocument = { key: this.idOf(key), json: JSON.stringify(parked), fields, revision };
    await this.parts.documents.apply([{ kind: 'put', collection: PARKED_KEYS, document }]);
  }

  private remembered(): Promise<Set<string>> {
    if (this.known) return this.known;
    const known = this.all().then((all) => new Set(all.map(({ key }) => key)));
    known.catch(() => (this.known = this.known === known ? null : this.known));
    return (this.known = known);
  }

  private idOf(key: string): string {
    return `${this.consumer}/${key}`;
  }

  private markOf(key: string): string {
    return `parked:${this.consumer}/${key}`;
  }
}
