import { expect, it } from '@jest/globals';

it('passes', () => undefined);

it('fails in every run', () => {
  expect(1).toBe(2);
});
