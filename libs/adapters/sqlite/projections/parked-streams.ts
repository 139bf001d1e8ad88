import type { ParkedStream } from '../../../eventsourcing/projection.js';
import type { Database } from '../folder/database.js';

const ALL = 'SELECT projection, stream, revision, position, reason FROM parked_streams';
const ADD =
  'INSERT INTO parked_streams (projection, stream, revision, position, reason) VALUES (?, ?, ?, ?, ?) ' +
  'ON CONFLICT DO UPDATE SET revision = excluded.revision, position = excluded.position, reason = excluded.reason';
const REMOVE = 'DELETE FROM parked_streams WHERE projection = ? AND stream = ?';
const MOVE = 'UPDATE parked_streams SET projection = ? WHERE projection = ?';
const FORGET = 'DELETE FROM parked_streams WHERE projection = ?';

/** A parked stream, and the table name of the projection that failed on it. */
export type ParkedProjection = ParkedStream & { readonly projection: string };

/**
 * The parked streams of each projection, in a table and in memory. The table changes within the open
 * transaction. After a rollback the caller restores the memory with `put` and `drop`.
 */
export class ParkedStreams {
  private readonly byProjection = new Map<string, Map<string, ParkedProjection>>();

  constructor(private readonly database: Database) {
    for (const row of database.statement(ALL).all()) this.put({ ...row } as unknown as ParkedProjection);
  }

  isParked(projection: string, stream: string): boolean {
    return this.byProjection.get(projection)?.has(stream) ?? false;
  }

  all(): readonly ParkedProjection[] {
    return [...this.byProjection.values()].flatMap((streams) => [...streams.values()]);
  }

  add(projection: string, { stream, revision, position, reason }: ParkedStream): void {
    this.database.write(ADD, projection, stream, revision, position, reason);
    this.put({ projection, stream, revision, position, reason });
  }

  remove(projection: string, stream: string): void {
    this.database.statement(REMOVE).run(projection, stream);
    this.drop(projection, stream);
  }

  /** Deletes the streams of a projection from the table. Call `dropAll` when the transaction is committed. */
  forget(projection: string): void {
    this.database.statement(FORGET).run(projection);
  }

  /**
   * Moves the streams of one projection to another in the table. Call `moved` when the transaction is
   * committed.
   */
  storeMove(from: string, to: string): void {
    this.forget(to);
    this.database.statement(MOVE).run(to, from);
  }

  moved(from: string, to: string): void {
    const streams = [...(this.byProjection.get(from)?.values() ?? [])];
    this.dropAll(from);
    this.dropAll(to);
    for (const parked of streams) this.put({ ...parked, projection: to });
  }

  dropAll(projection: string): void {
    this.byProjection.delete(projection);
  }

  drop(projection: string, stream: string): void {
    this.byProjection.get(projection)?.delete(stream);
  }

  put(parked: ParkedProjection): void {
    let streams = this.byProjection.get(parked.projection);
    if (!streams) this.byProjection.set(parked.projection, (streams = new Map<string, ParkedProjection>()));
    streams.set(parked.stream, parked);
  }
}
