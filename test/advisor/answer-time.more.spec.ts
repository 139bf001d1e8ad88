import { describe, expect, it } from '@jest/globals';
import { advise } from '../../libs/advisor/advise.js';
import { sampleCatalogue } from '../../libs/advisor/catalogue.fixtures.js';
import { CONVERSATIONS, filled, SHAPES } from './hostile-texts.js';

/** The maximum CPU time of an answer. Answers take 1 to 15 ms, and would take far longer with a rule of quadratic time. */
const MOST_MILLISECONDS = 250;

/** Proves contract 40.9. */
describe.each(CONVERSATIONS)('a mebibyte in %s', (_, conversation) => {
  it.each(SHAPES)('of %j has a quick answer', async (shape) => {
    const messages = conversation(filled(shape));
    const before = process.cpuUsage();
    await advise({ messages, model: 'PET_ADVISOR_1', temperature: 1, seed: 1 }, sampleCatalogue());
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(MOST_MILLISECONDS);
  });
});
