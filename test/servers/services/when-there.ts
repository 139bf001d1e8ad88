import { describe, it } from '@jest/globals';
import { isMissing, type Missing } from './shared.js';

/** Defines the tests of what was found; otherwise they are skipped by name, with the reason. */
export const whenThere = <T extends object>(name: string, found: T | Missing, define: (found: T) => void): void => {
  if (!isMissing(found)) return define(found);
  describe.skip(name, () => {
    it(`is not run: ${found.missing}`, () => undefined);
  });
};
