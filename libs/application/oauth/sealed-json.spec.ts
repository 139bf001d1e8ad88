import { describe, expect, it } from '@jest/globals';
import { openJson, sealJson } from './sealed-json.js';

const KEY = new Uint8Array(32).fill(7);
/** A value that an earlier version stored. Stores contain such values, so the format must not change. */
const STORED = '-9x6xahZ5-OXPw2Skewk8reOW2OXvehc8jZSCYIn2lAySOyGa0DIStnwUQ';

describe('a sealed value', () => {
  it('has the same bytes in every version', () => {
    expect(sealJson(KEY, 'name', { text: 'Zoë' })).toBe(STORED);
    expect(openJson(KEY, 'name', STORED)).toEqual({ text: 'Zoë' });
  });

  it('cannot be opened under another name', () => expect(() => openJson(KEY, 'another', STORED)).toThrow());
});
