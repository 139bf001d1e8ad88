import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import { DONE_MILLISECONDS, isLaneOf, type ClaimedWork, type Work, type WorkQueue } from '../../eventsourcing/ports/work-queue.port.js';
import { runAsPromise } from './failures.js';
import type { Database } from './folder/database.js';

const ENQUEUE = 'INSERT INTO work (queue, id, lane, data, attempt, next) VALUES (?, ?, ?, ?, 0, ?) ON CONFLICT DO NOTHING';
const EARLIEST = 'SELECT id, lane FROM work WHERE queue = ? AND next <= ? ORDER BY next LIMIT ?';
/** Selects the lanes with due work, in the order of their earliest due times. Reads two index entries for each lane. */
const DUE_LANES = `
  WITH RECURSIVE lanes (lane) AS (
    SELECT min(lane) FROM work WHERE queue = ?1 AND next IS NOT NULL
    UNION ALL
    SELECT (SELECT min(lane) FROM work WHERE queue = ?1 AND lane > lanes.lane AND next IS NOT NULL) FROM lanes WHERE lanes.lane IS NOT NULL
  )
  SELECT lane, (SELECT min(next) FROM work WHERE queue = ?1 AND work.lane = lanes.lane AND next IS NOT NULL) AS next
  FROM lanes WHERE next <= ?2 ORDER BY next`;
const FIRST_OF_LANE = 'SELECT id, lane FROM work WHERE queue = ? AND lane = ? AND next IS NOT NULL ORDER BY next LIMIT 1';
const CLAIM = 'UPDATE work SET next = ?, attempt = attempt + 1 WHERE queue = ? AND id = ? RETURNING id, lane, data, attempt';
/** Matches work that no later claim has taken (`attempt`) and that is not done (`next`). */
const STILL_CLAIMED = 'WHERE queue = ? AND id = ? AND attempt = ? AND next IS NOT NULL';
const SET_NEXT = `UPDATE work SET next = ? ${STILL_CLAIMED}`;
const COMPLETE = `UPDATE work SET next = NULL, done = ? ${STILL_CLAIMED}`;
const DUE_NOW = 'UPDATE work SET next = ?1 WHERE queue = ?2 AND next > ?1';
const DELETE_DONE = 'DELETE FROM work WHERE done < ?';

/** How many due rows a claim scans. If all scanned rows are in excluded lanes, a slower query by lane follows. */
const SCAN_LIMIT = 100;

/**
 * The work queue in the store's file. Work may be claimed from the time `next` on. A claim sets `next` to the time when the
 * claim ends.
 */
export class SqliteWorkQueue implements WorkQueue {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  enqueue({ queue, id, lane, data }: Work, due: Date): Promise<boolean> {
    return this.change(ENQUEUE, queue, id, lane, data, due.getTime());
  }

  claim(queue: string, milliseconds: number, except: readonly string[] = []): Promise<ClaimedWork | null> {
    return runAsPromise(() => {
      const due = this.due(queue, except);
      // Most calls find no due work and need no transaction.
      return due && this.database.transaction(() => this.claimRow(queue, due.id, this.now() + milliseconds));
    });
  }

  extend(work: ClaimedWork, milliseconds: number): Promise<boolean> {
    return this.change(SET_NEXT, this.now() + milliseconds, ...identityOf(work));
  }

  complete(work: ClaimedWork): Promise<boolean> {
    return this.change(COMPLETE, this.now(), ...identityOf(work));
  }

  retryAt(work: ClaimedWork, due: Date): Promise<boolean> {
    return this.change(SET_NEXT, due.getTime(), ...identityOf(work));
  }

  /**
   * Makes all work of a queue due now, also claimed work. Call this method only when the process starts. The folder lock then
   * proves that the process which made the claims has ended.
   */
  async makeDue(queue: string): Promise<void> {
    await this.change(DUE_NOW, this.now(), queue);
  }

  private due(queue: string, except: readonly string[]): InLane | null {
    const limit = except.length > 0 ? SCAN_LIMIT : 1;
    const earliest = this.database.statement(EARLIEST).all(queue, this.now(), limit) as unknown as readonly InLane[];
    const found = earliest.find(({ lane }) => !isLaneOf(lane, except));
    return found ?? (earliest.length < limit ? null : this.firstOfLanes(queue, except));
  }

  private firstOfLanes(queue: string, except: readonly string[]): InLane | null {
    const lanes = this.database.statement(DUE_LANES).all(queue, this.now()) as unknown as readonly Pick<InLane, 'lane'>[];
    const open = lanes.find(({ lane }) => !isLaneOf(lane, except));
    return open ? (this.database.statement(FIRST_OF_LANE).get(queue, open.lane) as unknown as InLane) : null;
  }

  private claimRow(queue: string, id: string, until: number): ClaimedWork {
    return { queue, ...(this.database.statement(CLAIM).get(until, queue, id) as unknown as Omit<ClaimedWork, 'queue'>) };
  }

  /** Runs a statement durably, and returns whether it changed exactly one row. Also deletes work that was done long ago. */
  private change(sql: string, ...values: readonly (string | number)[]): Promise<boolean> {
    return runAsPromise(() =>
      this.database.transaction(() => {
        this.database.statement(DELETE_DONE).run(this.now() - DONE_MILLISECONDS);
        return this.database.statement(sql).run(...values).changes === 1;
      }),
    );
  }

  private now(): number {
    return this.clock.now().getTime();
  }
}

/** The id and the lane of one piece of work. */
type InLane = { readonly id: string; readonly lane: string };

const identityOf = ({ queue, id, attempt }: ClaimedWork): readonly [string, string, number] => [queue, id, attempt];
