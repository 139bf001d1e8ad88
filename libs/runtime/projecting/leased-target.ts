import { checkpointOf, type Collection, type Documents, type StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import { LeaseLost, type Lease } from '../../eventsourcing/ports/leases.port.js';
import type { ProjectionTarget, ReadModelChange } from '../../eventsourcing/projecting.js';
import type { ParkedStream } from '../../eventsourcing/projection.js';
import { CachedDocuments } from './cached-documents.js';
import { parkWrite, readParkedStreams, unparkWrite } from './parked-streams.js';

export type LeasedTargetOptions = {
  /** The documents of all versions of the read model. A new version is filled beside the old one. */
  readonly documents: Documents;
  readonly collection: Collection;
  /** Every write presents this lease. A write is rejected once another process owns it. */
  readonly lease: Lease;
  /** Called for each stream that was not parked before. */
  readonly onParked: (projection: string, parked: ParkedStream) => void;
};

/** One version of a read model, in a database that several processes write. */
export class LeasedTarget implements ProjectionTarget {
  private readonly name: string;
  private readonly documents: CachedDocuments;
  private readonly parked: Map<string, ParkedStream>;

  private constructor(
    private readonly options: LeasedTargetOptions,
    parked: readonly ParkedStream[],
    /**
     * The number of changes that did not move the position. Each write must move a checkpoint, because the lease is checked together
     * with a checkpoint. So such a change moves a second checkpoint, whose position is this number.
     */
    private withoutPosition: number,
  ) {
    this.name = checkpointOf(options.collection);
    this.documents = new CachedDocuments(options.documents, options.collection);
    this.parked = new Map(parked.map((stream) => [stream.stream, stream]));
  }

  static async open(options: LeasedTargetOptions): Promise<LeasedTarget> {
    const name = checkpointOf(options.collection);
    const parked = await readParkedStreams(options.documents, name);
    return new LeasedTarget(options, parked, await options.documents.checkpoint(retryCheckpointOf(name)));
  }

  position(): Promise<number> {
    return this.options.documents.checkpoint(this.name);
  }

  isParked(_: Collection, stream: string): boolean {
    return this.parked.has(stream);
  }

  parkedStreams(): readonly ParkedStream[] {
    return [...this.parked.values()];
  }

  load(_: Collection, keys: readonly string[]): Promise<boolean> {
    return this.documents.load(keys);
  }

  get(_: Collection, key: string): StoredDocument | null {
    return this.documents.get(key);
  }

  async store(changes: readonly ReadModelChange[]): Promise<void> {
    for (const change of changes) await this.storeChange(change);
  }

  private async storeChange({ writes, parked, released, reached }: ReadModelChange): Promise<void> {
    const { documents, lease, onParked } = this.options;
    const all = [
      ...writes,
      ...parked.map((stream) => parkWrite(this.name, stream)),
      ...released.map((stream) => unparkWrite(this.name, stream)),
    ];
    const moved = reached ? { name: this.name, ...reached } : { name: retryCheckpointOf(this.name), position: ++this.withoutPosition };
    // The lease is valid, but the stored position has already reached the new one: another process runs the same projection.
    if (!(await documents.apply(all, { ...moved, lease }))) throw new LeaseLost(`another process moved the checkpoint of ${this.name}`);
    this.documents.update(writes);
    for (const stream of released) this.parked.delete(stream);
    for (const stream of parked) {
      if (!this.parked.has(stream.stream)) onParked(this.name, stream);
      this.parked.set(stream.stream, stream);
    }
  }
}

const retryCheckpointOf = (name: string): string => `${name}_retries`;
