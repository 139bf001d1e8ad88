import type { Clock } from '../../eventsourcing/clock.port.js';
import type { ClaimedWork, Work, WorkQueue } from '../../eventsourcing/work-queue.port.js';
import { promised } from './failures.js';
import type { Database } from './folder/database.js';

/** How long it is remembered that work was done: longer than whatever asks for it may ask again. */
const DONE_MILLISECONDS = 7 * 24 * 60 * 60 * 1000;

const ENQUEUE = 'INSERT INTO work (queue, id, lane, data, attempt, next) VALUES (?, ?, ?, ?, 0, ?) ON CONFLICT DO NOTHING';
const DUE =
  'SELECT id, lane, data, attempt + 1 AS attempt FROM work ' +
  'WHERE queue = ? AND next <= ? AND lane NOT IN (SELECT value FROM json_each(?)) ORDER BY next LIMIT ?';
const CLAIM = 'UPDATE work SET next = ?, attempt = attempt + 1 WHERE queue = ? AND id = ?';
/** Work that was not claimed again since, and is not done: work done has no time. */
const UNCHANGED = 'WHERE queue = ? AND id = ? AND attempt = ? AND next IS NOT NULL';
const AGAIN = `UPDATE work SET next = ? ${UNCHANGED}`;
const COMPLETE = `UPDATE work SET next = NULL, done = ? ${UNCHANGED}`;
const FORGET = 'DELETE FROM work WHERE done < ?';

/** Work as rows beside the log, each claimed by changing when it may be claimed next. */
export class EmbeddedWorkQueue implements WorkQueue {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  enqueue({ queue, id, lane, data }: Work, due: Date): Promise<boolean> {
    return this.changing(ENQUEUE, queue, id, lane, data, due.getTime());
  }

  claim(queue: string, limit: number, milliseconds: number, except: readonly string[] = []): Promise<readonly ClaimedWork[]> {
    return promised(() => {
      const due = this.database.statement(DUE).all(queue, this.now(), JSON.stringify(except), limit);
      // Whoever asks often mostly finds nothing, which is no reason to write.
      if (due.length === 0) return [];
      const until = this.now() + milliseconds;
      return this.database.transaction(() => due.map((row) => this.claimed(queue, row as unknown as DueWork, until)));
    });
  }

  extend(work: ClaimedWork, milliseconds: number): Promise<boolean> {
    return this.changing(AGAIN, this.now() + milliseconds, ...identityOf(work));
  }

  complete(work: ClaimedWork): Promise<boolean> {
    return this.changing(COMPLETE, this.now(), ...identityOf(work));
  }

  retryAt(work: ClaimedWork, due: Date): Promise<boolean> {
    return this.changing(AGAIN, due.getTime(), ...identityOf(work));
  }

  private claimed(queue: string, { id, lane, data, attempt }: DueWork, until: number): ClaimedWork {
    this.database.statement(CLAIM).run(until, queue, id);
    return { queue, id, lane, data, attempt };
  }

  /** On the disk when it answers; whether a row was changed. */
  private changing(sql: string, ...values: readonly (string | number)[]): Promise<boolean> {
    return promised(() =>
      this.database.transaction(() => {
        this.database.statement(FORGET).run(this.now() - DONE_MILLISECONDS);
        return this.database.statement(sql).run(...values).changes === 1;
      }),
    );
  }

  private now(): number {
    return this.clock.now().getTime();
  }
}

type DueWork = Omit<ClaimedWork, 'queue'>;

const identityOf = ({ queue, id, attempt }: ClaimedWork): readonly [string, string, number] => [queue, id, attempt];
