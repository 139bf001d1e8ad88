import { describe, expect, it } from '@jest/globals';
import { relative } from 'node:path';
import { printLine } from '../../print-line.js';
import { ROOT } from '../program.js';
import { isMissing, type Missing } from './shared.js';

/** Prints a line about this suite. The summary of jest names neither servers nor the reasons of skipped suites. */
const printForSuite = (text: string): void => printLine(`${relative(ROOT, expect.getState().testPath ?? '')} ${text}`);

/**
 * Defines the tests of a server, and prints the server and its version. A missing server skips the tests by name
 * with the reason, which is also printed.
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
