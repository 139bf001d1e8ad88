import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
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
    await work.enqueue(delivery, DAY);
    expect(await work.claim('deliveries', 1_000)).toBeNull();
    clock.advance(DAY);
    expect(await work.claim('deliveries', 1_000)).toEqual({ ...delivery, attempt: 1, retries: 0 });
    clock.advance(999);
    expect(await work.claim('deliveries', 1_000)).toBeNull();
    clock.advance(1);
    expect(await work.claim('deliveries', 1_000)).toEqual({ ...delivery, attempt: 2, retries: 0 });
  });

  it.each([-DAY, DAY])('keeps delays while the process runs, even if the time of day changes by %i ms', async (change) => {
    const { work, clock } = store;
    await work.enqueue(delivery, 1_000);
    clock.set(clock.now().getTime() + change);
    clock.advance(999);
    expect(await work.claim('deliveries', 1_000)).toBeNull();
    clock.advance(1);
    expect(await work.claim('deliveries', 1_000)).toMatchObject(delivery);
  });

  it('keeps the delays of a process whose clock was ahead, from the next start on', async () => {
    const { work, clock } = store;
    const other = { ...delivery, id: 'b' };
    await work.enqueue(delivery, 1_000);
    await work.enqueue(other);
    expect(await work.claim('deliveries', 2_000)).toMatchObject(other);
    await store.close();
    const corrected = manualClock(clock.now().getTime() - DAY);
    store = await openForTest(folder, { clock: corrected });
    await store.work.shortenWaits('deliveries');
    expect(await store.work.claim('deliveries', DAY)).toBeNull();
    corrected.advance(1_000);
    expect(await store.work.claim('deliveries', DAY)).toMatchObject(delivery);
    expect(await store.work.claim('deliveries', DAY)).toBeNull();
    corrected.advance(1_000);
    expect(await store.work.claim('deliveries', DAY)).toMatchObject(other);
  });

  it('keeps work and claims when the folder is opened again', async () => {
    await store.work.enqueue(delivery);
    await store.work.enqueue({ ...delivery, id: 'b' });
    const claim = await store.work.claim('deliveries', 1_000);
    await store.close();
    store = await openForTest(folder);
    expect(await store.work.claim('deliveries', 1_000)).toEqual({ ...delivery, id: 'b', attempt: 1, retries: 0 });
    expect(claim && (await store.work.complete(claim))).toBe(true);
  });

  it('keeps done work for exactly a week', async () => {
    const { work, clock } = store;
    await work.enqueue(delivery);
    const claim = await work.claim('deliveries', 1_000);
    expect(claim && (await work.complete(claim))).toBe(true);
    clock.advance(7 * DAY);
    expect(await work.enqueue(delivery)).toBe(false);
    clock.advance(1);
    expect(await work.enqueue(delivery)).toBe(true);
  });
});
