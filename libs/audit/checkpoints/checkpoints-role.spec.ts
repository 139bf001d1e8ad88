import { describe, expect, it } from '@jest/globals';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';
import { testKey } from '../audit.fixtures.js';
import { signCheckpoint } from '../proof/signing.js';
import { startCheckpoints } from './checkpoints-role.js';

const SIGNED = signCheckpoint(testKey(1), { store: 's', index: 0, size: 1, root: 'r', time: 't', previous: '', tenants: [] });

/** Starts the role. If `isSlow`, a read of new events ends only when its signal is aborted. */
const start = ({ uncoveredCount = 1, isSlow = false }) => {
  const clock = manualClock();
  const made: (AbortSignal | undefined)[] = [];
  const read = async (signal?: AbortSignal): Promise<number> => {
    if (isSlow) await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    return uncoveredCount;
  };
  let reported = 0;
  const stop = startCheckpoints({
    clock,
    checkpointEveryMilliseconds: 60_000,
    checkpoints: {
      readNewEvents: read,
      make: async (signal) => {
        made.push(signal);
        return signal?.aborted ? null : SIGNED;
      },
    },
    onCheckpoint: () => void reported++,
    onError: (error) => {
      throw error;
    },
  });
  const pass = async (milliseconds: number): Promise<void> => {
    for (let passed = 0; passed < milliseconds; passed += 10_000) {
      clock.advance(10_000);
      await new Promise(setImmediate);
    }
  };
  return { clock, pass, stop, reported: () => reported, made };
};

/** Proves contract 35.1. */
describe('the role that makes checkpoints', () => {
  it('makes a checkpoint when CHECKPOINT_EVERY has passed', async () => {
    const { pass, reported } = start({});
    await pass(50_000);
    expect(reported()).toBe(0);
    await pass(10_000);
    expect(reported()).toBe(1);
  });

  it('makes a checkpoint after many events before CHECKPOINT_EVERY has passed', async () => {
    const { pass, reported } = start({ uncoveredCount: 10_000 });
    await pass(10_000);
    expect(reported()).toBe(1);
  });

  it('makes a checkpoint when it stops', async () => {
    const { stop, reported } = start({});
    await stop();
    expect(reported()).toBe(1);
  });

  it('makes no checkpoint at a stop that cannot read the new events in 2 s, even if a read is already running', async () => {
    const { clock, pass, stop, reported } = start({ isSlow: true });
    await pass(10_000);
    const stopped = stop();
    clock.advance(2_000);
    await stopped;
    expect(reported()).toBe(0);
  });
});
