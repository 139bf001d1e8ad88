import { describe, expect, it } from '@jest/globals';
import { byteRange } from './byte-range.js';

/** Proves contract 37.6. */
describe('a Range header', () => {
  it.each<[string | undefined, ReturnType<typeof byteRange>]>([
    [undefined, 'all'],
    ['bytes=0-9', { from: 0, to: 10 }],
    ['bytes=10-', { from: 10, to: 100 }],
    ['bytes=-10', { from: 90, to: 100 }],
    ['bytes=-1000', { from: 0, to: 100 }],
    ['bytes=90-1000', { from: 90, to: 100 }],
    ['BYTES=0-0', { from: 0, to: 1 }],
    ['bytes=100-', 'none'],
    ['bytes=-0', 'none'],
    ['bytes=9-0', 'all'],
    ['bytes=0-1,5-6', 'all'],
    ['bytes=-', 'all'],
    ['bytes=a-b', 'all'],
    ['lines=0-9', 'all'],
    [`bytes=${'9'.repeat(40)}-`, 'all'],
  ])('%s of 100 bytes is %j', (header, range) => expect(byteRange(header, 100)).toEqual(range));

  it('names no byte of an empty content', () => expect([byteRange('bytes=0-', 0), byteRange('bytes=-1', 0)]).toEqual(['none', 'none']));
});
