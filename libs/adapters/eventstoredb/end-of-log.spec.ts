import { describe, expect, it } from '@jest/globals';
import { sayWhenAtTheEnd } from './end-of-log.js';

/** A log whose last position is each of these in turn, and a feed to which everything arrives that is waited for. */
const told = async (positions: readonly number[], answer: 'arrived' | 'needless' = 'arrived'): Promise<readonly string[]> => {
  const left = [...positions];
  const told: string[] = [];
  const lastPosition = async (): Promise<number> => {
    const last = left.shift();
    if (last === undefined) throw new Error('the server is gone');
    return last;
  };
  const arrival = async (position: number): Promise<'arrived' | 'needless'> => {
    told.push(`waited for ${position}`);
    return answer;
  };
  await sayWhenAtTheEnd(lastPosition, { arrival, reachedTheEnd: () => void told.push('the end') });
  return told;
};

describe('the end of the log', () => {
  it('is where the last event has arrived and still is the last', async () => {
    expect(await told([5, 5])).toEqual(['waited for 5', 'waited for 5', 'the end']);
  });

  it('is further on when the log has grown meanwhile', async () => {
    expect(await told([5, 9, 9])).toEqual(['waited for 5', 'waited for 9', 'waited for 9', 'the end']);
  });

  it('is not told when the server told it, or the subscription ended', async () => {
    expect(await told([5], 'needless')).toEqual(['waited for 5']);
  });

  it('is not told when the server cannot be read', async () => {
    expect(await told([5])).toEqual(['waited for 5']);
  });
});
