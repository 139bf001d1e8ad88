import type { Collection as MongoCollection } from 'mongodb';
import type { Clock } from '../../../eventsourcing/clock.port.js';
import { checkpointOf, type Collection } from '../../../eventsourcing/documents.port.js';
import { isBelieved } from '../belief.js';
import { isVersion, type KnownVersion, type ReaderRecord } from './reader-records.js';

/** How long what is known of the versions is believed: other processes begin, complete and drop them. */
const BELIEVED_MILLISECONDS = 1_000;

type Known = { readonly byName: ReadonlyMap<string, readonly KnownVersion[]>; readonly readAt: number };

const NONE: Known = { byName: new Map(), readAt: -Infinity };

/** There is no such version: it was never made ready, or is gone. */
export class NotMadeReady extends Error {
  override readonly name = 'NotMadeReady';
  constructor(version: string) {
    super(`the documents of ${version} were not made ready, or a newer version has replaced them`);
  }
}

/**
 * Which versions of which collections there are, as this process last read it: at most a second old where documents are asked for, however
 * long nobody has asked; or they would be looked for in places that are gone. What is written is checked against the database itself.
 */
export class Versions {
  private known = NONE;
  private reading: Promise<Known> | undefined;

  constructor(
    private readonly readers: MongoCollection<ReaderRecord>,
    private readonly clock: Clock,
  ) {}

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

  /** Reads what there is now; whoever changed it calls this, and sees the change ever after. */
  async read(): Promise<Known> {
    const readAt = this.clock.now().getTime();
    const records = await this.readers.find({ declared: { $exists: true } }).toArray();
    const byName = new Map<string, KnownVersion[]>();
    for (const record of records.filter(isVersion).sort((one, other) => one.declared.version - other.declared.version)) {
      const versions = byName.get(record.declared.name);
      if (versions) versions.push(record);
      else byName.set(record.declared.name, [record]);
    }
    return (this.known = { byName, readAt });
  }

  private async recent(): Promise<Known> {
    return isBelieved(this.known.readAt, this.clock.now().getTime(), BELIEVED_MILLISECONDS) ? this.known : this.readOnce();
  }

  private readOnce(): Promise<Known> {
    this.reading ??= this.read().finally(() => (this.reading = undefined));
    return this.reading;
  }
}
