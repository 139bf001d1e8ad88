import type { Collection as MongoCollection } from 'mongodb';
import type { Clock } from '../../../../eventsourcing/ports/clock.port.js';
import { ageOf, momentOf, type Moment } from '../../../../eventsourcing/scheduling/moment.js';
import { checkpointOf, type Collection } from '../../../../eventsourcing/ports/documents.port.js';
import { declaresAll, fallbackOf } from '../../../../eventsourcing/read-model-versions.js';
import { isVersion, type VersionDocument, type ReaderRecord } from './reader-records.js';

/** Milliseconds between two polls of the records of versions, which other processes may change at any time. */
export const POLL_MILLISECONDS = 250;
/**
 * The age in milliseconds after which a snapshot is stale. A snapshot reaches this age only if polls fail or the process
 * hangs. A read that finds a stale snapshot waits for a new poll.
 */
const STALE_MILLISECONDS = 1_000;

type Snapshot = {
  readonly byName: ReadonlyMap<string, readonly VersionDocument[]>;
  /** The position of each reader of the log. */
  readonly positions: Map<string, number>;
  /** Null: not read yet. */
  readonly readAt: Moment | null;
};

const emptySnapshot = (): Snapshot => ({ byName: new Map(), positions: new Map(), readAt: null });

/** Thrown for a version that was never prepared, or was dropped. */
export class VersionNotPrepared extends Error {
  override readonly name = 'VersionNotPrepared';
  constructor(version: string) {
    super(`the documents of ${version} are not prepared, or a newer version has replaced them`);
  }
}

/**
 * Keeps a snapshot of all versions of read models and their positions in the log, so that queries need not read these
 * records. Writes do not rely on the snapshot: the database checks the version and the position of each write.
 */
export class Versions {
  private snapshot = emptySnapshot();
  private reading: Promise<Snapshot> | undefined;
  private changes = 0;
  private cancelPoll: (() => void) | undefined;
  private closed = false;
  /** The positions that were observed while records were read, one map for each read: what it returns may be older. */
  private readonly observedMeanwhile = new Set<Map<string, number>>();

  constructor(
    private readonly readers: MongoCollection<ReaderRecord>,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns a number that increases when a checkpoint or a version changes. Results from an earlier revision
   * may be outdated.
   */
  revision(): number {
    return this.changes;
  }

  /** Returns a version's position in the log, or 0 for a version that is not filled from the log. */
  positionOf({ _id }: Pick<VersionDocument, '_id'>): number {
    return this.snapshot.positions.get(_id) ?? 0;
  }

  /** Stores a reader's position in the snapshot. The caller has just read or written this position in the database. */
  observe(name: string, position: number): void {
    for (const observed of this.observedMeanwhile) observed.set(name, position);
    // A reader without a record is at position 0.
    if ((this.snapshot.positions.get(name) ?? 0) === position) return;
    this.snapshot.positions.set(name, position);
    this.changes++;
  }

  /** Stores the position that the documents of a version have reached, unless the snapshot has a later one. */
  observeReached(version: Pick<VersionDocument, '_id'>, position: number): void {
    if (position > this.positionOf(version)) this.observe(version._id, position);
  }

  /** Stops polling. */
  close(): void {
    this.closed = true;
    this.cancelPoll?.();
  }

  /** Returns the record of exactly this version. Rejects with VersionNotPrepared if there is none. */
  async of(collection: Collection): Promise<VersionDocument> {
    const name = checkpointOf(collection);
    const find = ({ byName }: Snapshot): VersionDocument | undefined => byName.get(collection.name)?.find(({ _id }) => _id === name);
    const version = find(await this.freshSnapshot()) ?? find(await this.read());
    if (!version) throw new VersionNotPrepared(name);
    return version;
  }

  /**
   * Returns the version that a query on `collection` reads. Normally, this is the version that `collection` names. If that
   * version is not in service, the query reads the newest older version in service. But if the older version lacks a field
   * or cell in `names`, or there is none, the query reads the version that `collection` names.
   */
  async serving(collection: Collection, needed: 'fields' | 'cells', names: readonly string[]): Promise<VersionDocument> {
    const own = await this.of(collection);
    const older = own.inService ? undefined : fallbackOf(await this.all(collection.name), collection.version);
    return older && declaresAll(older.declared, needed, names) ? older : own;
  }

  /** Returns all versions of a collection, oldest first. */
  async all(name: string): Promise<readonly VersionDocument[]> {
    return (await this.freshSnapshot()).byName.get(name) ?? [];
  }

  /** Polls now. A process calls this after its own change, so that its snapshot includes the change immediately. */
  async read(): Promise<Snapshot> {
    const readAt = momentOf(this.clock);
    const observed = new Map<string, number>();
    this.observedMeanwhile.add(observed);
    const reading = this.readers.find({}, { projection: { write: 0, lease: 0 } }).toArray();
    const records = await reading.finally(() => this.observedMeanwhile.delete(observed));
    const byName = new Map<string, VersionDocument[]>();
    for (const record of records.filter(isVersion).sort((one, other) => one.declared.version - other.declared.version)) {
      const versions = byName.get(record.declared.name);
      if (versions) versions.push(record);
      else byName.set(record.declared.name, [record]);
    }
    const before = this.snapshot;
    const positions = new Map(records.map(({ _id, position }) => [_id, Math.max(position, observed.get(_id) ?? 0)]));
    this.snapshot = { byName, positions, readAt };
    if (signatureOf(before) !== signatureOf(this.snapshot)) this.changes++;
    this.schedulePoll();
    return this.snapshot;
  }

  private async freshSnapshot(): Promise<Snapshot> {
    const { readAt } = this.snapshot;
    return readAt && ageOf(readAt, this.clock) < STALE_MILLISECONDS ? this.snapshot : this.readOnce();
  }

  private readOnce(): Promise<Snapshot> {
    this.reading ??= this.read().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private schedulePoll(): void {
    if (this.closed) return;
    this.cancelPoll ??= this.clock.after(POLL_MILLISECONDS, () => {
      // A failed poll is ignored, because the next poll retries. Once the snapshot is stale, reads reject
      // with the error.
      void this.readOnce()
        .catch(() => undefined)
        .finally(() => {
          this.cancelPoll = undefined;
          this.schedulePoll();
        });
    });
  }
}

/** Returns a text that is equal for two snapshots with the same positions and versions. */
const signatureOf = ({ byName, positions }: Snapshot): string =>
  JSON.stringify([
    [...positions].sort(),
    [...byName.values()].flat().map(({ _id, generation, inService }) => [_id, generation, inService]),
  ]);
