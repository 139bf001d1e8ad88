import { describe, it } from '@jest/globals';
import { isMissing, type Missing } from './shared.js';

/** Defines the tests of a server, or skips them by name with the reason why it is missing. */
export const describeIfAvailable = <T extends object>(name: string, found: T | Missing, define: (found: T) => void): void => {
  if (!isMissing(found)) return define(found);
  describe.skip(name, () => {
    it(`does not run: ${found.missing}`, () => undefined);
  });
};
