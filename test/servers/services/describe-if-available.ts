import { describe, expect, it } from '@jest/globals';
import { relative } from 'node:path';
import { printLine } from '../../print-line.js';
import { ROOT } from '../program.js';
import { isMissing, type Missing } from './shared.js';

/**
 * Prints a line about this suite. This is needed, because the summary of jest names neither the servers nor the reasons why
 * suites are skipped.
 */
const printForSuite = (text: string): void => printLine(`${relative(ROOT, expect.getState().testPath ?? '')} ${text}`);

/**
 * Calls `define` to define tests that need a server, and prints the server and its version. If the server is missing, skips
 * the tests and prints the reason.
 */
export const describeIfAvailable = <T extends object>(name: string, found: T | Missing, define: (found: T) => void): void => {
  if (!isMissing(found)) {
    if ('versions' in found) printForSuite(`runs on ${String(found.versions)}`);
    return define(found);
  }
  printForSuite(`skips ${name}: ${found.missing}`);
  describe.skip(name, () => {
    it(`does not run: ${found.missing}`, () => undefined);
  });
};
