import { describe, expect, it } from '@jest/globals';
import { timeOfId, timeOrderedId } from './time-ordered-id.js';

describe('a time-ordered id', () => {
  it.each(['2026-11-30T14:05:06.789Z', '1970-01-01T00:00:00.000Z', '2100-12-31T23:59:59.999Z'])('begins with the time %s', (time) =>
    expect(timeOfId(timeOrderedId(Date.parse(time)))?.toISOString()).toBe(time),
  );

  it('is another one each time', () => {
    const ids = Array.from({ length: 1_000 }, () => timeOrderedId(0));
    expect(new Set(ids).size).toBe(1_000);
  });
});
