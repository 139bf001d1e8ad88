import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';
import { CommitQueue } from './commits/commit-queue.js';
import { temporaryFolder } from './sqlite.fixtures.js';
import { Database, openDatabase } from './folder/database.js';
import { migrate, STORE_MIGRATIONS } from './folder/migrations.js';
import { SqliteWorkQueue } from './work-queue.js';

const SLOW = `WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 50000)
  INSERT INTO work (queue, id, lane, data, attempt, next) SELECT 'deliveries', number, 'slow', '{}', 0, 0 FROM numbers`;

/** Records the SQL of its statements. */
class RecordingDatabase extends Database {
  readonly issued: string[] = [];

  override statement(sql: string): ReturnType<Database['statement']> {
    this.issued.push(sql);
    return super.statement(sql);
  }
}

describe('a claim that excludes a lane with a backlog', () => {
  let database: Database;
  let remove: () => void;
  beforeEach(() => {
    const opened = temporaryFolder();
    remove = opened.remove;
    database = openDatabase(opened.folder, 'work.sqlite');
    migrate(database, STORE_MIGRATIONS);
    database.connection.exec(SLOW);
  });
  afterEach(() => {
    database.close();
    remove();
  });

  const planOf = (sql: string): readonly string[] =>
    database.connection
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => String(detail));

  it('steps through the lanes in an index and reads only the first work of each lane', async () => {
    const clock = manualClock();
    const recording = new RecordingDatabase(database.connection);
    const queue = new SqliteWorkQueue(recording, new CommitQueue(recording, null), clock);
    for (const lane of ['quick', 'quiet']) await queue.enqueue({ queue: 'deliveries', id: lane, lane, data: '{}' });
    recording.issued.length = 0;
    expect(await queue.claim('deliveries', 1_000, ['slow'])).toMatchObject({ id: 'quick' });
    const plans = recording.issued.filter((sql) => !sql.startsWith('UPDATE')).flatMap(planOf);
    expect([...new Set(plans.filter((step) => / work /.test(step)))]).toEqual([
      'SEARCH work USING COVERING INDEX work_due (queue=? AND next<?)',
      'SEARCH work USING COVERING INDEX work_by_lane (queue=?)',
      'SEARCH work USING COVERING INDEX work_by_lane (queue=? AND lane>?)',
      'SEARCH work USING COVERING INDEX work_by_lane (queue=? AND lane=? AND next>?)',
      'SEARCH work USING PRIMARY KEY (queue=? AND id=?)',
    ]);
  });
});

describe('work claimed by a killed process', () => {
  it('is due after makeDue of its queue, but not after makeDue of another queue', async () => {
    const opened = temporaryFolder();
    const database = openDatabase(opened.folder, 'work.sqlite');
    try {
      migrate(database, STORE_MIGRATIONS);
      const clock = manualClock();
      const queue = new SqliteWorkQueue(database, new CommitQueue(database, null), clock);
      for (const name of ['calls', 'others']) {
        await queue.enqueue({ queue: name, id: 'one', lane: 'lane', data: '{}' });
        await queue.claim(name, 10_000);
      }
      expect(await queue.claim('calls', 10_000)).toBeNull();
      await queue.makeDue('calls');
      expect(await queue.claim('calls', 10_000)).toMatchObject({ id: 'one', attempt: 2 });
      expect(await queue.claim('others', 10_000)).toBeNull();
    } finally {
      database.close();
      opened.remove();
    }
  });
});
