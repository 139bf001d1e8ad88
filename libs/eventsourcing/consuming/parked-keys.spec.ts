import { beforeEach, describe, expect, it } from '@jest/globals';
import type { MessagePointer, ParkedKey } from '../ports/messages.port.js';
import { manualClock } from '../testing/manual-clock.js';
import { ParkedKeys, type ParkedKeyStore } from './parked-keys.js';

const pointer = (revision: number): MessagePointer => ({ stream: 'thing-1', revision, type: 'Made', key: 'thing-1', tenant: 'shared' });

describe('the retry of a parked key', () => {
  let logLength: number;
  let stored: ParkedKey | null;
  let handled: number[];
  let beforeRelease: () => void;
  const store: ParkedKeyStore = {
    all: async () => (stored ? [stored] : []),
    count: async () => (stored ? 1 : 0),
    put: async (parked) => void (stored = parked),
    addWaiting: async () => stored !== null,
    readWaiting: async (_, from) => Array.from({ length: Math.max(0, logLength - from) }, (_, index) => pointer(from + index)),
    async release(_, last) {
      beforeRelease();
      if (last + 1 < logLength) return false;
      stored = null;
      return true;
    },
  };
  const silentLog = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const keys = new ParkedKeys('reader', { store, clock: manualClock(), log: silentLog });
  const retry = async (shouldContinue = () => true): Promise<boolean> => {
    if (!stored) throw new Error('nothing is parked');
    return keys.retry(stored, { handle: async ({ revision }) => void handled.push(revision), shouldContinue });
  };

  beforeEach(async () => {
    [logLength, handled, beforeRelease] = [3, [], () => undefined];
    await keys.park(pointer(0), 'no');
  });

  it('handles the waiting messages in order', async () => {
    expect([await retry(), stored, handled]).toEqual([true, null, [0, 1, 2]]);
  });

  it('handles a message that arrives before the key is released', async () => {
    beforeRelease = () => (logLength = 4);
    expect([await retry(), handled]).toEqual([true, [0, 1, 2, 3]]);
  });

  it('keeps the remaining messages parked for the same reason when it is stopped', async () => {
    expect(await retry(() => handled.length < 2)).toBe(false);
    expect(handled).toEqual([0, 1]);
    expect(stored).toMatchObject({ revision: 2, reason: 'no' });
  });
});
