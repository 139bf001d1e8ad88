import { describe, expect, it } from '@jest/globals';
import { relative } from 'node:path';
import { printLine } from '../../print-line.js';
import { ROOT } from '../program.js';
import { isMissing, type Missing } from './shared.js';

/**
 * Defines the tests of a server, or skips them by name with the reason why it is missing. It prints the server
 * and its version.
 */
export const describeIfAvailable = <T extends object>(name: string, found: T | Missing, define: (found: T) => void): void => {
  if (!isMissing(found)) {
    if ('versions' in found) printLine(`${relative(ROOT, expect.getState().testPath ?? '')} runs on ${String(found.versions)}`);
    return define(found);
  }
  describe.skip(name, () => {
    it(`does not run: ${found.missing}`, () => undefined);
  });
};
