import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openForTest, type OpenForTest } from '../sqlite.fixtures.js';

/** Proves contract 23.5. */
describe('the end of the log', () => {
  let store: OpenForTest;
  beforeEach(async () => {
    store = await openForTest(':memory:');
  });
  afterEach(() => store.close());

  it('is missing if a read model has reached a later position', async () => {
    await store.documents.apply([], { name: 'pets_v1', position: 7 });
    expect(store.findMissingEnd()).toMatchObject({ stream: 'log-end@1', reason: expect.stringContaining('position 7') });
  });

  it.each([
    ['a day', 'forgotten-security-events', 20_054],
    ['a time', 'writable', 1_767_323_045_678],
  ])('is not missing if a checkpoint contains %s instead of a position', async (_, name, position) => {
    await store.documents.apply([], { name, position });
    expect(store.findMissingEnd()).toBeNull();
  });
});
