import { describe, expect, it } from '@jest/globals';
import { outcomeOf } from './outcome.js';
import { ask, converse, promptGroups, type Answered } from './prompt.js';

const groups = promptGroups();

describe.each(groups)('the advisor, for prompts of %s,', (_, prompts) => {
  it.each(prompts.map((prompt) => [prompt.name, prompt] as const))('answers: %s (contract 40.2, 40.3)', async (_name, prompt) => {
    const { faults, unmet, text } = await outcomeOf(prompt);
    expect(faults).toEqual([]);
    expect({ unmet, text }).toEqual({ unmet: [], text });
  });
});

describe('the answer to a repeated request', () => {
  it('does not change, and states the same pets at every temperature (contract 40.8)', async () => {
    for (const prompt of groups.flatMap(([, prompts]) => prompts)) {
      const { messages, advice } = (await converse(prompt)).at(-1) as Answered;
      expect(await ask(prompt, messages)).toEqual(advice);
      for (const temperature of [0, 2]) expect((await ask(prompt, messages, temperature)).pets).toEqual(advice.pets);
    }
  });
});

describe('the prompts', () => {
  it('are at least a hundred, with names of their own', () => {
    const names = groups.flatMap(([group, prompts]) => prompts.map(({ name }) => `${group}: ${name}`));
    expect(names.length).toBeGreaterThanOrEqual(100);
    expect(new Set(names).size).toBe(names.length);
  });
});
