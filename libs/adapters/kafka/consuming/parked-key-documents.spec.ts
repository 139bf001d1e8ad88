import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Documents, StoredDocument } from '../../../eventsourcing/ports/documents.port.js';
import { StoreUnavailable } from '../../../eventsourcing/ports/event-store.port.js';
import type { MessagePointer } from '../../../eventsourcing/ports/messages.port.js';
import { manualClock } from '../../../eventsourcing/testing/manual-clock.js';
import { ParkedKeys } from '../../../eventsourcing/consuming/parked-keys.js';
import { parkedKeyDocuments } from './parked-key-documents.js';

const notUsed = (): never => {
  throw new Error('not used in this test');
};

/** Creates documents in memory. `hooks.before` runs once, before the next change. */
const memory = () => {
  const stored = new Map<string, StoredDocument>();
  const checkpoints = new Map<string, number>();
  const calls: ('find' | 'get')[] = [];
  const hooks: { before: () => Promise<void> } = { before: () => Promise.resolve() };
  const unavailable = new Set<'find' | 'get'>();
  const documents: Documents = {
    prepare: () => Promise.resolve(),
    async get(_, key) {
      calls.push('get');
      if (unavailable.has('get')) throw new StoreUnavailable('gone');
      return stored.get(key) ?? null;
    },
    async find(_, { where }) {
      calls.push('find');
      if (unavailable.has('find')) throw new StoreUnavailable('gone');
      return [...stored.values()].filter(({ fields }) => fields['consumer'] === where['consumer']);
    },
    async apply(writes, checkpoint) {
      const { before } = hooks;
      hooks.before = () => Promise.resolve();
      await before();
      if (checkpoint && checkpoint.position <= (checkpoints.get(checkpoint.name) ?? 0)) return false;
      if (checkpoint) checkpoints.set(checkpoint.name, checkpoint.position);
      for (const write of writes) {
        if (write.kind === 'put') stored.set(write.document.key, write.document);
        if (write.kind === 'delete') stored.delete(write.key);
      }
      return true;
    },
    checkpoint: async (name) => checkpoints.get(name) ?? 0,
    page: notUsed,
    texts: notUsed,
    count: notUsed,
    sum: notUsed,
    use: notUsed,
    clear: notUsed,
  };
  return { documents, hooks, unavailable, calls };
};

const pointer = (revision: number, key = 'thing-1'): MessagePointer => ({ stream: key, revision, type: 'Made', key, tenant: 'shared' });

describe('the parked keys of a consumer', () => {
  let store: ReturnType<typeof memory>;
  let log: number;
  let handled: number[];
  const handle = async ({ revision }: MessagePointer): Promise<void> => void handled.push(revision);
  const clock = manualClock();
  const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const waiting = async (key: string, from: number) =>
    Array.from({ length: Math.max(0, log - from) }, (_, index) => pointer(from + index, key));
  const member = (): ParkedKeys =>
    new ParkedKeys('reader', { store: parkedKeyDocuments('reader', store.documents, waiting), clock, log: quiet });
  const retryAll = async (keys: ParkedKeys, handling = handle): Promise<boolean[]> => {
    const freed: boolean[] = [];
    for (const parked of await keys.all()) freed.push(await keys.retry(parked, { handle: handling, shouldContinue: () => true }));
    return freed;
  };

  beforeEach(() => {
    store = memory();
    [log, handled] = [1, []];
  });

  it('delay later messages of the same key, but no others', async () => {
    const keys = member();
    await keys.park(pointer(0), 'no');
    expect([await keys.addWaitingIfParked(pointer(1)), await keys.addWaitingIfParked(pointer(0, 'thing-2'))]).toEqual([true, false]);
  });

  it('are known to another member once it has cleared its cache', async () => {
    const [owner, other] = [member(), member()];
    expect(await other.addWaitingIfParked(pointer(1))).toBe(false);
    await owner.park(pointer(0), 'no');
    other.clearCache();
    expect(await other.addWaitingIfParked(pointer(1))).toBe(true);
    expect(await other.all()).toEqual([
      { consumer: 'reader', key: 'thing-1', revision: 0, reason: 'no', parkedAt: clock.now().toISOString() },
    ]);
  });

  it('are released once all waiting messages are handled, even for a member that has cached them as parked', async () => {
    const [owner, other] = [member(), member()];
    await owner.park(pointer(0), 'no');
    log = 3;
    expect([await owner.addWaitingIfParked(pointer(1)), await owner.addWaitingIfParked(pointer(2))]).toEqual([true, true]);
    expect(await retryAll(other)).toEqual([true]);
    expect(handled).toEqual([0, 1, 2]);
    log = 4;
    expect(await owner.addWaitingIfParked(pointer(3))).toBe(false);
    store.unavailable.add('get');
    expect(await owner.addWaitingIfParked(pointer(4))).toBe(false);
  });

  it('are not released before a message that was skipped at the same time is handled', async () => {
    const [owner, other] = [member(), member()];
    await owner.park(pointer(0), 'no');
    store.hooks.before = async () => {
      log = 2;
      expect(await owner.addWaitingIfParked(pointer(1))).toBe(true);
    };
    expect(await retryAll(other)).toEqual([true]);
    expect(handled).toEqual([0, 1]);
  });

  it('do not delay a message that arrives just after the release', async () => {
    const [owner, other] = [member(), member()];
    await owner.park(pointer(0), 'no');
    expect(await owner.addWaitingIfParked(pointer(0))).toBe(true);
    store.hooks.before = async () => void (await retryAll(other));
    expect(await owner.addWaitingIfParked(pointer(1))).toBe(false);
    expect(handled).toEqual([0]);
  });

  it('stay parked until the log contains every skipped message', async () => {
    const [owner, other] = [member(), member()];
    await owner.park(pointer(0), 'no');
    expect(await owner.addWaitingIfParked(pointer(1))).toBe(true);
    expect(await retryAll(other)).toEqual([false]);
    expect(await other.all()).toHaveLength(1);
  });

  it('stay parked at the first message that fails again, with the new reason', async () => {
    const keys = member();
    await keys.park(pointer(0), 'no');
    log = 3;
    const failing = async (message: MessagePointer): Promise<void> => {
      if (message.revision === 1) throw new Error('still not');
      await handle(message);
    };
    expect(await retryAll(keys, failing)).toEqual([false]);
    expect(await keys.all()).toMatchObject([{ revision: 1, reason: 'still not' }]);
    expect(await retryAll(keys)).toEqual([true]);
    expect(handled).toEqual([0, 1, 2]);
  });

  it('can be parked and released again, even by a redelivered message', async () => {
    const keys = member();
    log = 2;
    for (const revision of [1, 0, 1]) {
      await keys.park(pointer(revision), 'no');
      expect(await retryAll(keys)).toEqual([true]);
    }
    expect(handled).toEqual([1, 0, 1, 1]);
  });

  it('are read once by a member that parks and releases them', async () => {
    const keys = member();
    await keys.park(pointer(0, 'thing-0'), 'no');
    expect(await keys.addWaitingIfParked(pointer(1, 'thing-0'))).toBe(true);
    for (const key of ['thing-1', 'thing-2']) await keys.park(pointer(0, key), 'no');
    log = 1;
    expect(
      await keys.retry(
        { consumer: 'reader', key: 'thing-2', revision: 0, reason: 'no', parkedAt: '' },
        { handle, shouldContinue: () => true },
      ),
    ).toBe(true);
    const waits = await Promise.all(['thing-1', 'thing-2', 'thing-3'].map(async (key) => keys.addWaitingIfParked(pointer(1, key))));
    expect(waits).toEqual([true, false, false]);
    expect(store.calls).toEqual(['find', 'get', 'get', 'get']);
  });

  it('are known even if they were parked during a read', async () => {
    const keys = member();
    const reading = keys.addWaitingIfParked(pointer(0, 'thing-2'));
    await keys.park(pointer(0), 'no');
    await reading;
    expect(await keys.addWaitingIfParked(pointer(1))).toBe(true);
  });

  it('are read again after a failed read', async () => {
    const keys = member();
    store.unavailable.add('find');
    await expect(keys.addWaitingIfParked(pointer(0))).rejects.toThrow('gone');
    store.unavailable.clear();
    expect(await keys.addWaitingIfParked(pointer(0))).toBe(false);
  });
});
