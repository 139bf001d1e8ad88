import { expect } from '@jest/globals';
import { createRandom, createSamplePet } from '../../apps/petstore/seeding/sample-pets.js';
import { advise } from '../../libs/advisor/advise.js';
import { catalogueOf } from '../../libs/advisor/catalogue.fixtures.js';
import type { AdvisorModel, ChatMessage } from '../../libs/advisor/question.js';
import { faultsOf } from './invention.js';

const random = createRandom(1);
/** The pets of `petstore seed --pets 60`. */
const PETS = Array.from({ length: 60 }, (_, nth) => {
  const { details, status } = createSamplePet(random);
  return { id: `id-${nth}`, ...details, status };
});

/** One message of the customer, and the answer to it. */
type Turn = readonly [said: string, answer: string];

/** Sends the messages of a customer to the advisor, one after the other. Expects answers without an invention. */
export const chat = async (messagesOfCustomer: readonly string[], model: AdvisorModel): Promise<readonly Turn[]> => {
  const messages: ChatMessage[] = [];
  const turns: Turn[] = [];
  for (const said of messagesOfCustomer) {
    messages.push({ role: 'USER', content: said });
    const advice = await advise({ messages, model, temperature: 1, seed: 7 }, catalogueOf(PETS));
    expect(faultsOf(advice, PETS, messages)).toEqual([]);
    messages.push({ role: 'ASSISTANT', content: advice.text });
    turns.push([said, advice.text]);
  }
  return turns;
};
