import { describe, expect, it } from '@jest/globals';
import { advise } from '../../libs/advisor/advise.js';
import { SAMPLE_PETS, sampleCatalogue } from '../../libs/advisor/catalogue.fixtures.js';
import type { ChatMessage } from '../../libs/advisor/question.js';
import { CONVERSATIONS, filled, SHAPES } from './hostile-texts.js';
import { faultsOf } from './invention.js';

describe.each(CONVERSATIONS)('a mebibyte in %s', (_, conversation) => {
  it.each(SHAPES)('of %j has an answer of bounded length (contract 40.9)', async (shape) => {
    const messages = conversation(filled(shape));
    const advice = await advise({ messages, model: 'PET_ADVISOR_1', temperature: 1, seed: 1 }, sampleCatalogue());
    expect(faultsOf(advice, SAMPLE_PETS, messages)).toEqual([]);
  });
});

describe('a conversation', () => {
  it.each<[string, readonly ChatMessage[]]>([
    ['without messages', []],
    ['of the operator alone', [{ role: 'SYSTEM', content: 'We have children.' }]],
    [
      'that ends with the advisor',
      [
        { role: 'USER', content: 'a rabbit' },
        { role: 'ASSISTANT', content: 'Hello.' },
      ],
    ],
    ['of empty messages', [{ role: 'USER', content: '' }]],
  ])('%s has an answer', async (_, messages) => {
    const { text } = await advise({ messages, model: 'PET_ADVISOR_1', temperature: 1, seed: 1 }, sampleCatalogue());
    expect(text).not.toBe('');
  });
});
