import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { event, openForTest, temporaryFolder, type OpenForTest } from '../sqlite.fixtures.js';
import { yieldToEventLoop } from '../../../eventsourcing/scheduling/yield-to-event-loop.js';

describe('checkpoints of the write-ahead log', () => {
  let folder: string;
  let remove: () => void;
  let store: OpenForTest;
  const databaseSize = (): number => statSync(join(folder, 'petstore.sqlite')).size;
  beforeEach(async () => {
    ({ folder, remove } = temporaryFolder());
    store = await openForTest(folder);
  });
  afterEach(async () => {
    await store.close();
    remove();
  });
  const write = (from: number, count: number): Promise<unknown> =>
    Promise.all(
      Array.from({ length: count }, (_, index) => store.events.append(`thing-${from + index}`, 'none', [event('Made', 'x'.repeat(500))])),
    );

  it('run in the background after many rows', async () => {
    const before = databaseSize();
    await write(0, 500);
    expect(databaseSize()).toBe(before);
    await write(500, 4_000);
    while (databaseSize() === before) await yieldToEventLoop();
    expect((await store.events.readAll(0, 10_000)).length).toBe(4_500);
  });

  it('run after some seconds when there are only few rows', async () => {
    const before = databaseSize();
    await write(0, 50);
    store.clock.advance(5_000);
    while (databaseSize() === before) await yieldToEventLoop();
    expect(store.lines).toEqual([]);
  });
});
