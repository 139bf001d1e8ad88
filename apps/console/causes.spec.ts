import { describe, expect, it } from '@jest/globals';
import { causesOf, type Cause } from './causes.js';

const event = (id: string, causationId: string) => ({ id, causationId });
const drawn = (causes: readonly Cause<{ readonly id: string }>[]): string =>
  causes.map(({ event: { id }, effects }) => id + (effects.length > 0 ? `(${drawn(effects)})` : '')).join(' ');

describe('the tree of causes', () => {
  it('has the events below their cause, in their order', () =>
    expect(drawn(causesOf([event('a', 'request'), event('b', 'a'), event('c', 'b'), event('d', 'a'), event('e', 'request')]))).toBe(
      'a(b(c) d) e',
    ));

  it('has an event that was recorded before its cause', () => expect(drawn(causesOf([event('b', 'a'), event('a', 'r')]))).toBe('a(b)'));

  it('shows events whose cause is missing as roots', () => expect(drawn(causesOf([event('b', 'away'), event('c', 'b')]))).toBe('b(c)'));

  it('shows every event of a circle once', () => {
    expect(drawn(causesOf([event('a', 'b'), event('b', 'a'), event('c', 'c')]))).toBe('c a(b)');
    expect(causesOf([])).toEqual([]);
  });
});
