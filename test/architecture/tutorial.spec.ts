import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../servers/program.js';
import { tutorialFiles } from './tutorial.js';

// Whether what it writes works is seen by tutorial.more.spec.ts.
describe('docs/tutorial.md', () => {
  it('shows lines that are in the files that it names', () => expect(tutorialFiles(ROOT).size).toBe(19));
});
