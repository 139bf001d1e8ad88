import type { ReadModelChange } from '../../../eventsourcing/projecting.js';
import type { ParkedStream } from '../../../eventsourcing/projection.js';
import type { Database } from '../folder/database.js';

const ALL = 'SELECT projection, stream, revision, position, reason FROM parked_streams';
const ADD =
  'INSERT INTO parked_streams (projection, stream, revision, position, reason) VALUES (?, ?, ?, ?, ?) ' +
  'ON CONFLICT DO UPDATE SET revision = excluded.revision, position = excluded.position, reason = excluded.reason';
const REMOVE = 'DELETE FROM parked_streams WHERE projection = ? AND stream = ?';
const MOVE = 'UPDATE parked_streams SET projection = ? WHERE projection = ?';
const DELETE = 'DELETE FROM parked_streams WHERE projection = ?';

/** A parked stream, and the table name of the projection that failed on it. */
export type ParkedProjection = ParkedStream & { readonly projection: string };

/** Returns the parked streams of all projections as they are stored. */
export const allParkedStreams = (database: Database): readonly ParkedProjection[] =>
  database
    .statement(ALL)
    .all()
    .map((row) => ({ ...row }) as unknown as ParkedProjection);

/** The streams that a projection parks, and those that it releases. */
type ParkedChange = Pick<ReadModelChange, 'parked' | 'released'>;

/**
 * The parked streams of each projection, in a table and cached in memory. If a projection fails on a stream, it skips the
 * stream until a retry succeeds. The table changes within the open or recorded transaction, and the cache after the commit.
 */
export class ParkedStreams {
  private readonly byProjection = new Map<string, Map<string, ParkedProjection>>();

  constructor(private readonly database: Database) {
    for (const parked of allParkedStreams(database)) this.cache(parked);
  }

  isParked(projection: string, stream: string): boolean {
    return this.byProjection.get(projection)?.has(stream) ?? false;
  }

  all(): readonly ParkedProjection[] {
    return [...this.byProjection.values()].flatMap((streams) => [...streams.values()]);
  }

  of(projection: string): readonly ParkedProjection[] {
    return [...(this.byProjection.get(projection)?.values() ?? [])];
  }

  /** Changes the table. Call `onChanged` after the commit. */
  change(projection: string, { parked, released }: ParkedChange): void {
    for (const { stream, revision, position, reason } of parked) this.database.write(ADD, projection, stream, revision, position, reason);
    for (const stream of released) this.database.write(REMOVE, projection, stream);
  }

  onChanged(projection: string, { parked, released }: ParkedChange): void {
    for (const { stream, revision, position, reason } of parked) this.cache({ projection, stream, revision, position, reason });
    for (const stream of released) this.byProjection.get(projection)?.delete(stream);
  }

  /** Deletes the streams of a projection from the table. Call `uncacheAll` after the commit. */
  deleteRows(projection: string): void {
    this.database.write(DELETE, projection);
  }

  /** In the table, replaces the streams of the projection `to` with those of `from`. Call `moveCached` after the commit. */
  moveRows(from: string, to: string): void {
    this.deleteRows(to);
    this.database.write(MOVE, to, from);
  }

  moveCached(from: string, to: string): void {
    const streams = this.of(from);
    this.uncacheAll(from);
    this.uncacheAll(to);
    for (const parked of streams) this.cache({ ...parked, projection: to });
  }

  uncacheAll(projection: string): void {
    this.byProjection.delete(projection);
  }

  private cache(parked: ParkedProjection): void {
    let streams = this.byProjection.get(parked.projection);
    if (!streams) this.byProjection.set(parked.projection, (streams = new Map<string, ParkedProjection>()));
    streams.set(parked.stream, parked);
  }
}
