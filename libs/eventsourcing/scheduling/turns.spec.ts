import { describe, expect, it } from '@jest/globals';
import { Turns } from './turns.js';

describe('streams that take turns', () => {
  it('continue one after the other, and other work runs between two pieces of data', async () => {
    const turns = new Turns();
    const order: string[] = [];
    let isReading = true;
    const other = (): void => {
      order.push('other');
      if (isReading) setImmediate(other);
    };
    other();
    await Promise.all(
      ['a', 'b'].map(async (name) => {
        let isPaused = false;
        let continueReading = (): void => undefined;
        const stream = { pause: () => (isPaused = true), resume: () => continueReading() };
        for (const piece of [1, 2, 3]) {
          order.push(`${name}${piece}`);
          const resumed = new Promise<void>((resolve) => (continueReading = resolve));
          turns.pauseUntilNextTurn(stream);
          if (isPaused) await resumed;
        }
      }),
    );
    isReading = false;
    const pieces = order.filter((entry) => entry !== 'other');
    expect(pieces).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3']);
    expect(order.slice(order.indexOf('b1'), order.indexOf('b3'))).toEqual(['b1', 'other', 'a2', 'other', 'b2', 'other', 'a3', 'other']);
  });
});
