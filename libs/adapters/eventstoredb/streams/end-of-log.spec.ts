import { describe, expect, it } from '@jest/globals';
import { sayWhenAtTheEnd } from './end-of-log.js';

/** Lists what is called while the log's last position is each of these in turn; every awaited event arrives. */
const callsFor = async (positions: readonly number[], answer: 'arrived' | 'needless' = 'arrived'): Promise<readonly string[]> => {
  const left = [...positions];
  const calls: string[] = [];
  const lastPosition = async (): Promise<number> => {
    const last = left.shift();
    if (last === undefined) throw new Error('the server is gone');
    return last;
  };
  const arrival = async (position: number): Promise<'arrived' | 'needless'> => {
    calls.push(`waited for ${position}`);
    return answer;
  };
  await sayWhenAtTheEnd(lastPosition, { arrival, reachedTheEnd: () => void calls.push('the end') });
  return calls;
};

describe('the end of the log', () => {
  it('is where the last event has arrived and still is the last', async () => {
    expect(await callsFor([5, 5])).toEqual(['waited for 5', 'waited for 5', 'the end']);
  });

  it('is further on when the log has grown meanwhile', async () => {
    expect(await callsFor([5, 9, 9])).toEqual(['waited for 5', 'waited for 9', 'waited for 9', 'the end']);
  });

  it('is not reported when the server reported it, or the subscription ended', async () => {
    expect(await callsFor([5], 'needless')).toEqual(['waited for 5']);
  });

  it('is not reported when the server cannot be read', async () => {
    expect(await callsFor([5])).toEqual(['waited for 5']);
  });
});
