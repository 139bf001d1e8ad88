import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../servers/program.js';
import { tutorialFiles } from './tutorial.js';

// tutorial.more.spec.ts runs the resulting code.
describe('docs/tutorial.md', () => {
  it('shows lines of the files that it names', () => expect(tutorialFiles(ROOT).size).toBe(19));
});
