import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import { DONE_MILLISECONDS, isLaneOf, type ClaimedWork, type Work, type WorkQueue } from '../../eventsourcing/ports/work-queue.port.js';
import { runAsPromise } from './failures.js';
import type { CommitQueue } from './commits/commit-queue.js';
import type { Database } from './folder/database.js';

const ENQUEUE = 'INSERT INTO work (queue, id, lane, data, attempt, next, wait) VALUES (?1, ?2, ?3, ?4, 0, ?5 + ?6, ?6)';
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
const READ = 'SELECT id, lane, data, attempt, retries FROM work WHERE queue = ? AND id = ?';
const CLAIM = 'UPDATE work SET next = ?1 + ?2, wait = ?2, attempt = attempt + 1 WHERE queue = ?3 AND id = ?4';
/** Matches work that no later claim has taken (`attempt`) and that is not done (`next`). */
const STILL_CLAIMED = 'WHERE queue = ?1 AND id = ?2 AND attempt = ?3 AND next IS NOT NULL';
const IS_CLAIMED = `SELECT 1 FROM work ${STILL_CLAIMED}`;
const EXTEND = `UPDATE work SET next = ?4 + ?5, wait = ?5 ${STILL_CLAIMED}`;
const RETRY = `UPDATE work SET next = ?4 + ?5, wait = ?5, retries = retries + 1 ${STILL_CLAIMED}`;
const COMPLETE = `UPDATE work SET next = NULL, done = ?4 ${STILL_CLAIMED}`;
/** Matches work that waits longer than it should. The first condition finds it in the index. */
const WAITS_TOO_LONG = 'WHERE queue = ?1 AND next > ?2 AND next - wait > ?2';
const HAS_LONG_WAITS = `SELECT 1 FROM work ${WAITS_TOO_LONG} LIMIT 1`;
const SHORTEN_WAITS = `UPDATE work SET next = ?2 + wait ${WAITS_TOO_LONG}`;
const DUE_NOW = 'UPDATE work SET next = ?1 WHERE queue = ?2 AND next > ?1';
const WAITING = 'SELECT id, lane, data, attempt, retries FROM work WHERE queue = ? AND next IS NOT NULL ORDER BY next LIMIT ?';
const IS_KNOWN = 'SELECT 1 FROM work WHERE queue = ? AND id = ? AND (done IS NULL OR done >= ?)';
const DELETE_DONE = 'DELETE FROM work WHERE done < ?';

/** How many due rows a claim scans. If all scanned rows are in excluded lanes, a slower query by lane follows. */
const SCAN_LIMIT = 100;

/**
 * The work queue in the store's file. Work may be claimed from the time `next` on. A claim sets `next` to the time when the
 * claim ends.
 */
export class SqliteWorkQueue implements WorkQueue {
  /** The time of day at which `elapsed` of the clock was 0. The clock of the queue is not set while the process runs. */
  private readonly base: number;

  constructor(
    private readonly database: Database,
    private readonly commits: Pick<CommitQueue, 'write'>,
    private readonly clock: Clock,
  ) {
    this.base = clock.now().getTime() - clock.elapsed();
  }

  enqueue({ queue, id, lane, data }: Work, milliseconds = 0): Promise<boolean> {
    return this.commits.write([`${keyOf(queue)} ${id}`], () => {
      const forgotten = this.now() - DONE_MILLISECONDS;
      this.database.write(DELETE_DONE, forgotten);
      if (this.database.statement(IS_KNOWN).get(queue, id, forgotten)) return false;
      this.database.write(ENQUEUE, queue, id, lane, data, this.now(), Math.round(milliseconds));
      return true;
    });
  }

  async claim(queue: string, milliseconds: number, except: readonly string[] = []): Promise<ClaimedWork | null> {
    // Most calls find no due work and need no commit.
    if (!(await runAsPromise(() => this.due(queue, except)))) return null;
    return this.commits.write([keyOf(queue)], () => {
      const due = this.due(queue, except);
      return due && this.claimRow(queue, due.id, milliseconds);
    });
  }

  extend(work: ClaimedWork, milliseconds: number): Promise<boolean> {
    return this.change(work, EXTEND, this.now(), milliseconds);
  }

  complete(work: ClaimedWork): Promise<boolean> {
    return this.change(work, COMPLETE, this.now());
  }

  retryAfter(work: ClaimedWork, milliseconds: number): Promise<boolean> {
    return this.change(work, RETRY, this.now(), Math.round(milliseconds));
  }

  async shortenWaits(queue: string): Promise<void> {
    // Almost no call finds such a wait, and then it needs no commit.
    if (!(await runAsPromise(() => this.database.statement(HAS_LONG_WAITS).get(queue, this.now())))) return;
    await this.commits.write([keyOf(queue)], () => this.database.write(SHORTEN_WAITS, queue, this.now()));
  }

  waiting(queue: string, limit: number): Promise<readonly ClaimedWork[]> {
    return runAsPromise(() => waitingWork(this.database, queue, limit));
  }

  /**
   * Makes all work of a queue due now, also claimed work. Call this method only when the process starts. The folder lock then
   * proves that the process which made the claims has ended.
   */
  makeDue(queue: string): Promise<void> {
    return this.commits.write([keyOf(queue)], () => this.database.write(DUE_NOW, this.now(), queue));
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

  private claimRow(queue: string, id: string, milliseconds: number): ClaimedWork {
    const row = this.database.statement(READ).get(queue, id) as unknown as Omit<ClaimedWork, 'queue'>;
    this.database.write(CLAIM, this.now(), milliseconds, queue, id);
    return { queue, ...row, attempt: row.attempt + 1 };
  }

  /** Changes claimed work, and returns whether it was still claimed. */
  private change({ queue, id, attempt }: ClaimedWork, sql: string, ...values: readonly number[]): Promise<boolean> {
    return this.commits.write([keyOf(queue)], () => {
      const isClaimed = this.database.statement(IS_CLAIMED).get(queue, id, attempt) !== undefined;
      if (isClaimed) this.database.write(sql, queue, id, attempt, ...values);
      return isClaimed;
    });
  }

  private now(): number {
    return this.base + this.clock.elapsed();
  }
}

/** Returns work that is not done, the earliest first. */
export const waitingWork = (database: Pick<Database, 'statement'>, queue: string, limit: number): readonly ClaimedWork[] =>
  (database.statement(WAITING).all(queue, limit) as unknown as readonly Omit<ClaimedWork, 'queue'>[]).map((row) => ({ queue, ...row }));

/** The id and the lane of one piece of work. */
type InLane = { readonly id: string; readonly lane: string };

/** A claim reads all work of its queue, so the changes of claimed work have different commits. New work may share one. */
const keyOf = (queue: string): string => `work ${queue}`;
