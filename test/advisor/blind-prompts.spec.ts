import { describe, expect, it } from '@jest/globals';
import { outcomeOf } from './outcome.js';
import { promptsOf } from './prompt.js';

/**
 * The sets of blind prompts, and the number of prompts whose answers met every expectation on the first run. Each set was written
 * from contract 40 alone, by somebody who had not seen the advisor, and was run once the advisor was done. The kinds of failure
 * that a run showed were repaired afterwards, with other prompts of these kinds.
 *
 * One wrong expectation of the first set was corrected after its run: it had taken "does not say whether Kiwi is vaccinated"
 * for a claim.
 */
const SETS = [
  { file: 'first.json', size: 50, held: 30 },
  { file: 'second.json', size: 100, held: 94 },
] as const;

describe.each(SETS)('the prompts in $file, that the advisor was not tuned on', ({ file, size, held: onFirstRun }) => {
  const prompts = promptsOf(`blind-prompts/${file}`);

  it(`are ${size}, with names of their own`, () => {
    expect(new Set(prompts.map(({ name }) => name)).size).toBe(size);
  });

  it('get a correct answer at least as often as on their first run (contract 40.2, 40.3, 40.5, 40.6, 40.7)', async () => {
    const failed: string[] = [];
    for (const prompt of prompts) {
      const { faults, unmet } = await outcomeOf(prompt);
      if (faults.length + unmet.length > 0) failed.push(prompt.name);
    }
    const held = prompts.length - failed.length;
    process.stdout.write([`${held} of ${prompts.length} blind prompts hold. These do not:`, ...failed, ''].join('\n'));
    expect(held).toBeGreaterThanOrEqual(onFirstRun);
  });
});
