import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { HistoryFault } from '../../../eventsourcing/history.js';
import { event, openForTest, temporaryFolder, things, thingsProjector } from '../sqlite.fixtures.js';
import { openLogFile } from './log-file.js';

/** Proves contract 35.4. */
describe('events that no read model shows', () => {
  let folder: string;
  let remove: () => void;
  beforeEach(async () => {
    ({ folder, remove } = temporaryFolder());
    const store = await openForTest(folder, { projectors: [thingsProjector()] });
    await store.events.append('thing-1', 'none', [event('Made', { kind: 'cup' }), event('Changed', { kind: 'mug' })]);
    await store.events.append('thing-2', 'none', [event('Made', { kind: 'cup' }), event('Poison')]);
    await store.close();
  });
  afterEach(() => remove());

  const found = (): readonly HistoryFault[] => {
    const log = openLogFile(folder);
    try {
      return log.findUnprojectedEvents([{ category: 'thing', collection: things }]);
    } finally {
      log.close();
    }
  };
  const run = (sql: string): void => {
    const database = new DatabaseSync(join(folder, 'petstore.sqlite'));
    database.exec(sql);
    database.close();
  };
  const insert = (): void =>
    run(
      "INSERT INTO events SELECT position + 100, stream, revision + 1, 'forged', type, data, metadata FROM events WHERE stream = 'thing-1' AND revision = 1",
    );

  it('do not exist in a log that only the service wrote, even if a stream is parked', () => expect(found()).toEqual([]));

  it('are found if another program wrote them', () => {
    insert();
    expect(found()).toMatchObject([
      { stream: 'thing-1', revision: 2, reason: expect.stringContaining('another program wrote this event') },
    ]);
  });

  it('are not looked for while the read model is being filled', () => {
    insert();
    run("UPDATE checkpoints SET following = 0 WHERE name = 'things_v1'");
    expect(found()).toEqual([]);
  });
});
