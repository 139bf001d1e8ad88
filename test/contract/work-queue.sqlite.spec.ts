import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openForTest, temporaryFolder, type OpenForTest } from '../../libs/adapters/sqlite/sqlite.fixtures.js';
import { systemClock } from '../../libs/adapters/system/index.js';
import { workQueueContract } from './work-queue.contract.js';

workQueueContract('the embedded adapter in memory', async () => {
  const { work, close } = await openForTest(':memory:', { clock: systemClock });
  return { queue: work, close };
});

workQueueContract('the embedded adapter in a folder', async () => {
  const { folder, remove } = temporaryFolder();
  const { work, close } = await openForTest(folder, { clock: systemClock });
  return { queue: work, close: () => close().then(remove) };
});

describe('a work queue in a folder', () => {
  const DAY = 24 * 60 * 60 * 1000;
  const delivery = { queue: 'deliveries', id: 'a', lane: 'somebody', data: '{}' };
  let folder: string;
  let remove: () => void;
  let store: OpenForTest;
  beforeEach(async () => {
    ({ folder, remove } = temporaryFolder());
    store = await openForTest(folder);
  });
  afterEach(async () => {
    await store.close();
    remove();
  });

  it('uses the given clock', async () => {
    const { work, clock } = store;
    await work.enqueue(delivery, new Date(clock.now().getTime() + DAY));
    expect(await work.claim('deliveries', 1_000)).toBeNull();
    clock.advance(DAY);
    expect(await work.claim('deliveries', 1_000)).toEqual({ ...delivery, attempt: 1 });
    clock.advance(999);
    expect(await work.claim('deliveries', 1_000)).toBeNull();
    clock.advance(1);
    expect(await work.claim('deliveries', 1_000)).toEqual({ ...delivery, attempt: 2 });
  });

  it('keeps work and claims when the folder is opened again', async () => {
    const now = store.clock.now();
    await store.work.enqueue(delivery, now);
    await store.work.enqueue({ ...delivery, id: 'b' }, now);
    const claim = await store.work.claim('deliveries', 1_000);
    await store.close();
    store = await openForTest(folder);
    expect(await store.work.claim('deliveries', 1_000)).toEqual({ ...delivery, id: 'b', attempt: 1 });
    expect(claim && (await store.work.complete(claim))).toBe(true);
  });

  it('keeps done work for exactly a week', async () => {
    const { work, clock } = store;
    await work.enqueue(delivery, clock.now());
    const claim = await work.claim('deliveries', 1_000);
    expect(claim && (await work.complete(claim))).toBe(true);
    clock.advance(7 * DAY);
    expect(await work.enqueue(delivery, clock.now())).toBe(false);
    clock.advance(1);
    expect(await work.enqueue(delivery, clock.now())).toBe(true);
  });
});
