import { describe, expect, it } from '@jest/globals';
import { detectEnd } from './end-of-log.js';

/**
 * Returns the calls that `detectEnd` makes. Each read of the last position returns the next item of
 * `positions`. If no item is left, the read throws.
 */
const callsFor = async (positions: readonly number[], arrival: 'arrived' | 'not-needed' = 'arrived'): Promise<readonly string[]> => {
  const remaining = [...positions];
  const calls: string[] = [];
  const lastPosition = async (): Promise<number> => {
    const last = remaining.shift();
    if (last === undefined) throw new Error('the server is gone');
    return last;
  };
  const waitForArrival = async (position: number): Promise<'arrived' | 'not-needed'> => {
    calls.push(`waited for ${position}`);
    return arrival;
  };
  await detectEnd(lastPosition, { waitForArrival, markCaughtUp: () => void calls.push('the end') });
  return calls;
};

describe('the end of the log', () => {
  it('is reached when the last event has arrived and is still the last one', async () => {
    expect(await callsFor([5, 5])).toEqual(['waited for 5', 'waited for 5', 'the end']);
  });

  it('is checked again when the log has grown in the meantime', async () => {
    expect(await callsFor([5, 9, 9])).toEqual(['waited for 5', 'waited for 9', 'waited for 9', 'the end']);
  });

  it('is not reported when the server has reported it or the subscription has ended', async () => {
    expect(await callsFor([5], 'not-needed')).toEqual(['waited for 5']);
  });

  it('is not reported when the server cannot be read', async () => {
    expect(await callsFor([5])).toEqual(['waited for 5']);
  });
});
