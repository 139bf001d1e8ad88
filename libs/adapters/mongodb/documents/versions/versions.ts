import type { Collection as MongoCollection } from 'mongodb';
import type { Clock } from '../../../../eventsourcing/ports/clock.port.js';
import { checkpointOf, type Collection } from '../../../../eventsourcing/ports/documents.port.js';
import { isBelieved } from '../../belief.js';
import { isVersion, type KnownVersion, type ReaderRecord } from './reader-records.js';

/** Milliseconds between two looks, whatever requests there are: other processes begin, complete, fill and drop versions. */
export const LOOK_EVERY = 250;
/** What was seen this long ago is no longer used: this process stood still, or the looks fail. A read then waits for a look. */
const STALE_AFTER = 1_000;

type Known = {
  readonly byName: ReadonlyMap<string, readonly KnownVersion[]>;
  /** How far each reader of the log has come. */
  readonly positions: Map<string, number>;
  readonly readAt: number;
};

const nothingKnown = (): Known => ({ byName: new Map(), positions: new Map(), readAt: -Infinity });

/** There is no such version: it was never made ready, or is gone. */
export class NotMadeReady extends Error {
  override readonly name = 'NotMadeReady';
  constructor(version: string) {
    super(`the documents of ${version} were not made ready, or a newer version has replaced them`);
  }
}

/**
 * Which versions of which collections there are, and how far they were filled, as this process last saw it. It looks four times a second
 * on its own, so that no read costs a look. What is written is checked against the database itself.
 */
export class Versions {
  private known = nothingKnown();
  private reading: Promise<Known> | undefined;
  private changes = 0;
  private nextLook: (() => void) | undefined;
  private closed = false;

  constructor(
    private readonly readers: MongoCollection<ReaderRecord>,
    private readonly clock: Clock,
  ) {}

  /** Grows whenever a reader of the log was seen to have moved, or a version to have changed: an answer from before may be outdated. */
  revision(): number {
    return this.changes;
  }

  /** How far a version was filled from the log when it was last seen; 0 where it is not filled from the log. */
  positionOf({ _id }: Pick<KnownVersion, '_id'>): number {
    return this.known.positions.get(_id) ?? 0;
  }

  /** Takes note of a reader's position that was read by the way. */
  observe(name: string, position: number): void {
    // A reader that has no record yet is at the beginning.
    if ((this.known.positions.get(name) ?? 0) === position) return;
    this.known.positions.set(name, position);
    this.changes++;
  }

  /** Ends the looks. */
  close(): void {
    this.closed = true;
    this.nextLook?.();
  }

  /** The record of this very version. Rejects where it was not made ready, or was dropped. */
  async of(collection: Collection): Promise<KnownVersion> {
    const name = checkpointOf(collection);
    const find = ({ byName }: Known): KnownVersion | undefined => byName.get(collection.name)?.find(({ _id }) => _id === name);
    const version = find(await this.recent()) ?? find(await this.read());
    if (!version) throw new NotMadeReady(name);
    return version;
  }

  /**
   * The version that answers readers of `collection`: itself when it is or was complete, else the newest older one that was
   * and that has all of these fields (or cells, when they are asked for).
   */
  async serving(collection: Collection, asked: 'fields' | 'cells', names: readonly string[]): Promise<KnownVersion> {
    const own = await this.of(collection);
    if (own.inService) return own;
    const older = (await this.all(collection.name)).findLast(
      ({ inService, declared }) => inService && declared.version < collection.version,
    );
    if (!older) return own;
    const has = asked === 'fields' ? Object.keys(older.declared.fields) : older.declared.cells;
    return names.every((name) => has.includes(name)) ? older : own;
  }

  /** All versions of that name, oldest first. */
  async all(name: string): Promise<readonly KnownVersion[]> {
    return (await this.recent()).byName.get(name) ?? [];
  }

  /** Reads what there is now. A process that changed something calls this, and sees the change from then on. */
  async read(): Promise<Known> {
    const readAt = this.clock.now().getTime();
    const records = await this.readers.find({}, { projection: { write: 0, lease: 0 } }).toArray();
    const byName = new Map<string, KnownVersion[]>();
    for (const record of records.filter(isVersion).sort((one, other) => one.declared.version - other.declared.version)) {
      const versions = byName.get(record.declared.name);
      if (versions) versions.push(record);
      else byName.set(record.declared.name, [record]);
    }
    const before = this.known;
    this.known = { byName, positions: new Map(records.map(({ _id, position }) => [_id, position])), readAt };
    if (signatureOf(before) !== signatureOf(this.known)) this.changes++;
    this.lookLater();
    return this.known;
  }

  private async recent(): Promise<Known> {
    return isBelieved(this.known.readAt, this.clock.now().getTime(), STALE_AFTER) ? this.known : this.readOnce();
  }

  private readOnce(): Promise<Known> {
    this.reading ??= this.read().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private lookLater(): void {
    if (this.closed) return;
    this.nextLook ??= this.clock.after(LOOK_EVERY, () => {
      // A look that fails is repeated; a read after the last one is too old learns why.
      void this.readOnce()
        .catch(() => undefined)
        .finally(() => {
          this.nextLook = undefined;
          this.lookLater();
        });
    });
  }
}

const signatureOf = ({ byName, positions }: Known): string =>
  JSON.stringify([
    [...positions].sort(),
    [...byName.values()].flat().map(({ _id, generation, inService }) => [_id, generation, inService]),
  ]);
