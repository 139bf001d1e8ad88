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

/**
 * The parked streams of each projection, in a table and cached in memory. If a projection fails on a stream, it skips the
 * stream until a retry succeeds. The table changes within the open or recorded transaction. A rollback restores the table; the caller
 * restores the cache with `cache` and `uncache`.
 */
export class ParkedStreams {
  private readonly byProjection = new Map<string, Map<string, ParkedProjection>>();

  constructor(private readonly database: Database) {
    for (const row of database.statement(ALL).all()) this.cache({ ...row } as unknown as ParkedProjection);
  }

  isParked(projection: string, stream: string): boolean {
    return this.byProjection.get(projection)?.has(stream) ?? false;
  }

  all(): readonly ParkedProjection[] {
    return [...this.byProjection.values()].flatMap((streams) => [...streams.values()]);
  }

  add(projection: string, { stream, revision, position, reason }: ParkedStream): void {
    this.database.write(ADD, projection, stream, revision, position, reason);
    this.cache({ projection, stream, revision, position, reason });
  }

  remove(projection: string, stream: string): void {
    this.database.write(REMOVE, projection, stream);
    this.uncache(projection, stream);
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
    const streams = [...(this.byProjection.get(from)?.values() ?? [])];
    this.uncacheAll(from);
    this.uncacheAll(to);
    for (const parked of streams) this.cache({ ...parked, projection: to });
  }

  uncacheAll(projection: string): void {
    this.byProjection.delete(projection);
  }

  uncache(projection: string, stream: string): void {
    this.byProjection.get(projection)?.delete(stream);
  }

  cache(parked: ParkedProjection): void {
    let streams = this.byProjection.get(parked.projection);
    if (!streams) this.byProjection.set(parked.projection, (streams = new Map<string, ParkedProjection>()));
    streams.set(parked.stream, parked);
  }
}
