import { describe, expect, it } from '@jest/globals';
import { recognise } from './search-text.js';
import { timeOfId } from './time-ordered-id.js';

const NOW = new Date(2026, 0, 2, 3, 4, 5);
const ID = '0190a6b3-1a2b-7c45-8d6e-4f8b2c6d3e91';
const spanOf = (typed: string) => {
  const found = recognise(typed, NOW);
  return found.kind === 'time' ? [found.from, (Date.parse(found.to) - Date.parse(found.from)) / 1_000] : found;
};

describe('what is typed', () => {
  it('may be nothing', () => expect(recognise('  ', NOW)).toEqual({ kind: 'nothing' }));

  it('may be the name of a stream', () => {
    expect(recognise(` Order-${ID} `, NOW)).toEqual({ kind: 'stream', stream: `order-${ID}` });
    expect(recognise('security-2026-01-02', NOW)).toEqual({ kind: 'text', text: 'security-2026-01-02' });
  });

  it('may be an id or a name, which only the service knows', () => {
    for (const text of [ID, 'Biscuit', '<svg onload=alert(1)>', 'a@b.example', '2026', '12', 'Z'])
      expect(recognise(text, NOW)).toEqual({ kind: 'text', text });
  });

  it('may be a time, as exact as it is given', () => {
    expect(spanOf('2026-01-02T03:04:05Z')).toEqual(['2026-01-02T03:04:05.000Z', 1]);
    expect(spanOf('2026-01-02 03:04+01:00')).toEqual(['2026-01-02T02:04:00.000Z', 60]);
    expect(spanOf('2026-01-02')).toEqual([new Date(2026, 0, 2).toISOString(), 86_400]);
    expect(spanOf('9:30')).toEqual([new Date(2026, 0, 2, 9, 30).toISOString(), 60]);
    expect(spanOf('2026-13-45')).toEqual({ kind: 'text', text: '2026-13-45' });
  });
});

describe('the time of an id', () => {
  it('is in a UUID of version 7', () => expect(timeOfId('019b7c4a-3b80-7000-8000-000000000000')?.toISOString()).toMatch(/^2026-01-0/));

  it.each(['', 'request-7', '0190a6b3-1a2b-4c45-8d6e-4f8b2c6d3e91'])('is not in %j', (id) => expect(timeOfId(id)).toBeNull());
});
