import { describe, expect, it } from '@jest/globals';
import { auditedLog } from '../audit.fixtures.js';

describe('a maker of checkpoints', () => {
  it('lets other work run while it reads a long log', async () => {
    const log = auditedLog();
    await log.add('pet-1', 2_000);
    let turns = 0;
    const count = (): void => {
      turns++;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    await log.maker.readNewEvents();
    clearImmediate(next);
    expect(turns).toBeGreaterThan(5);
  });
});
