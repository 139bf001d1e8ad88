import { describe, expect, it } from '@jest/globals';
import { isCheckpoint } from './genuine-checkpoints.js';

const CHECKPOINT = { size: 1, index: 0, root: 'root', tenants: [], keyId: 'key' };

/** A file of collected checkpoints may contain any value, and so may a log that an attacker has altered (contract 35.4). */
describe('a value in the form of a signed checkpoint', () => {
  it('has a checkpoint and a signature', () => expect(isCheckpoint({ checkpoint: CHECKPOINT, signature: 'signature' })).toBe(true));

  it.each<[string, unknown]>([
    ['null', null],
    ['a text', 'checkpoint'],
    ['an object without members', {}],
    ['a checkpoint that is null', { checkpoint: null, signature: 'signature' }],
    ['a checkpoint without a signature', { checkpoint: CHECKPOINT }],
    ['a checkpoint without a size', { checkpoint: { ...CHECKPOINT, size: undefined }, signature: 'signature' }],
    ['a checkpoint whose tenants are no list', { checkpoint: { ...CHECKPOINT, tenants: {} }, signature: 'signature' }],
  ])('is not %s', (_, value) => expect(isCheckpoint(value)).toBe(false));
});
