import { describe, expect, it } from '@jest/globals';
import { outcomeOf } from './outcome.js';
import { promptsOf } from './prompt.js';

/**
 * The number of blind prompts whose answers met every expectation on the first run. The prompts were written from contract 40
 * alone, after the advisor was done, and were committed before that run. They were never used to tune the advisor.
 * Afterwards, one wrong expectation was corrected. It had taken "does not say whether Kiwi is vaccinated" for a claim.
 * With the correction, 31 prompts held.
 */
const HELD_ON_FIRST_RUN = 30;

const prompts = promptsOf('blind-prompts.json');

describe('the prompts that the advisor was not tuned on', () => {
  it('are fifty, with names of their own', () => {
    expect(new Set(prompts.map(({ name }) => name)).size).toBe(50);
  });

  it('get a correct answer at least as often as on their first run (contract 40.2, 40.3, 40.5, 40.6, 40.7)', async () => {
    const failed: string[] = [];
    for (const prompt of prompts) {
      const { faults, unmet } = await outcomeOf(prompt);
      if (faults.length + unmet.length > 0) failed.push(prompt.name);
    }
    const held = prompts.length - failed.length;
    process.stdout.write([`${held} of ${prompts.length} blind prompts hold. These do not:`, ...failed, ''].join('\n'));
    expect(held).toBeGreaterThanOrEqual(HELD_ON_FIRST_RUN);
  });
});
