import { describe, expect, it } from '@jest/globals';
import { createRandom, createSamplePet } from '../../apps/petstore/seeding/sample-pets.js';
import { advise } from '../../libs/advisor/advise.js';
import type { CataloguePet } from '../../libs/advisor/catalogue.js';
import { catalogueOf } from '../../libs/advisor/catalogue.fixtures.js';
import type { ChatMessage } from '../../libs/advisor/question.js';
import { faultsOf } from './invention.js';
import { promptGroups } from './prompt.js';
import { TALK_FILES, talksOf } from './talk.js';

const CATALOGUES = 100;
/** The number of messages of the prompts that are sent to each catalogue. */
const MESSAGES = 24;
/** The largest catalogue. It has several pages of a search. */
const MOST_PETS = 1_200;
const OPTIONAL = ['breed', 'size', 'color', 'gender', 'goodWithKids', 'price', 'description', 'medicalInfo'] as const;
const CURRENCIES = ['USD', 'USD', 'USD', 'EUR', 'GBP'];

/** Every message of the prompts and talks that a customer writes. */
const SAID = [
  ...promptGroups().flatMap(([, prompts]) => prompts.flatMap(({ say }) => say.filter((said): said is string => typeof said === 'string'))),
  ...TALK_FILES.flatMap(([file]) => talksOf(file).flatMap(({ say }) => say)),
];

/** Returns a catalogue of random size, the newest first. Each optional field is absent from some pets. */
const petsOf = (random: () => number): readonly CataloguePet[] =>
  Array.from({ length: Math.floor(random() ** 4 * MOST_PETS) }, (_, nth) => {
    const { details, status } = createSamplePet(random);
    const pet = {
      id: `id-${nth}`,
      ...details,
      currency: CURRENCIES[Math.floor(random() * CURRENCIES.length)],
      status,
      createdAt: new Date(Date.UTC(2026, 0, 31) - nth * 3_600_000).toISOString(),
    };
    const absent = OPTIONAL.filter(() => random() < 0.1);
    return Object.fromEntries(Object.entries(pet).filter(([field]) => !absent.some((one) => one === field))) as CataloguePet;
  });

describe(`in ${CATALOGUES} random catalogues`, () => {
  it('no answer states a pet, a price, a date or a superlative that the catalogue does not have (contract 40.3)', async () => {
    const faults: string[] = [];
    for (let seed = 1; seed <= CATALOGUES; seed++) {
      const random = createRandom(seed);
      const pets = petsOf(random);
      let messages: ChatMessage[] = [];
      for (let nth = 0; nth < MESSAGES; nth++) {
        // A conversation has up to four messages of different prompts, which makes strange conversations on purpose.
        if (nth % 4 === 0) messages = [];
        messages.push({ role: 'USER', content: SAID[Math.floor(random() * SAID.length)] });
        const advice = await advise({ messages, model: 'PET_ADVISOR_1', temperature: 2, seed }, catalogueOf(pets));
        for (const fault of faultsOf(advice, pets, messages))
          faults.push(`${fault} after ${messages.map(({ content }) => content).join(' | ')}`);
        messages.push({ role: 'ASSISTANT', content: advice.text });
      }
    }
    expect(faults).toEqual([]);
  });
});
