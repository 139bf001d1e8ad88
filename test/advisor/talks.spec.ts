import { describe, expect, it } from '@jest/globals';
import { createRandom, createSamplePet } from '../../apps/petstore/seeding/sample-pets.js';
import { advise } from '../../libs/advisor/advise.js';
import { catalogueOf } from '../../libs/advisor/catalogue.fixtures.js';
import type { Advice, ChatMessage } from '../../libs/advisor/question.js';
import { faultsOf } from './invention.js';
import { matches } from './outcome.js';
import { TALK_FILES, talksOf, type Talk } from './talk.js';

const random = createRandom(1);
/** The pets of `petstore seed --pets 363`, one of them with a name that customers ask for. */
const PETS = Array.from({ length: 363 }, (_, nth) => {
  const { details, status } = createSamplePet(random);
  const createdAt = new Date(Date.UTC(2026, 10, 28) - nth * 7 * 3_600_000).toISOString();
  return {
    id: `id-${nth}`,
    ...details,
    ...(nth === 5 && { name: 'Waffles' }),
    status: nth === 5 ? ('AVAILABLE' as const) : status,
    createdAt,
  };
});

/** Runs a talk. Expects answers without an invention. */
const lastAnswer = async ({ say }: Talk): Promise<string> => {
  const messages: ChatMessage[] = [];
  let advice: Advice | undefined;
  for (const content of say) {
    messages.push({ role: 'USER', content });
    advice = await advise({ messages, model: 'PET_ADVISOR_1', temperature: 1, seed: 3 }, catalogueOf(PETS));
    expect(faultsOf(advice, PETS, messages)).toEqual([]);
    messages.push({ role: 'ASSISTANT', content: advice.text });
  }
  return advice?.text ?? '';
};

describe.each(TALK_FILES)('the talks in %s', (file, least) => {
  const talks = talksOf(file);

  it(`are at least ${least}`, () => expect(talks.length).toBeGreaterThanOrEqual(least));

  it.each(talks.map((talk) => [talk.say.join(' | '), talk] as const))('%s (contract 40.2, 40.3, 40.5)', async (_, talk) => {
    const text = await lastAnswer(talk);
    const unmet = [
      ...(talk.contains ?? []).flatMap((wanted) => (matches(text, wanted) ? [] : [`must contain ${wanted}`])),
      ...(talk.excludes ?? []).flatMap((unwanted) => (matches(text, unwanted) ? [`must not contain ${unwanted}`] : [])),
    ];
    expect({ unmet, text }).toEqual({ unmet: [], text });
  });
});
