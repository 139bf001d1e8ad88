import { describe, expect, it } from '@jest/globals';
import { shownValue } from './shown-values.js';

const SEALED = { $sealed: 'ciphertext', subject: 'user:1' };

/** Proves contract 35.11. */
describe('a personal value in a history', () => {
  const stored = { name: SEALED, list: [{ email: SEALED, kind: 'home' }], age: 3 };
  const opened = { name: 'Ann', list: [{ email: 'ann@example.com', kind: 'home' }], age: 3 };

  it('is withheld at every depth, even in lists, from a caller who may not see it', () =>
    expect(shownValue({ stored, opened }, false)).toEqual({
      name: { withheld: true },
      list: [{ email: { withheld: true }, kind: 'home' }],
      age: 3,
    }));

  it('is shown to a caller who may see it', () => expect(shownValue({ stored, opened }, true)).toEqual(opened));
});
