import { describe, expect, it } from '@jest/globals';
import { advise } from '../../libs/advisor/advise.js';
import { SAMPLE_PETS, sampleCatalogue } from '../../libs/advisor/catalogue.fixtures.js';
import type { ChatMessage, ChatRole } from '../../libs/advisor/question.js';
import { faultsOf } from './invention.js';

const MEBIBYTE = 1 << 20;
const filled = (text: string): string => text.repeat(Math.ceil(MEBIBYTE / text.length)).slice(0, MEBIBYTE);

/** Each text is repeated up to a mebibyte. The answer would be slow if the time of a rule grew faster than the text. */
const SHAPES = [
  'a', ' ', '\n', '1', '1,', "'", "a'", '"', '-', 'a-', '?.!', 'a.b-c-', 'a\u0301', '\u0301', '🐶', '狗', '<b>', '\u0000', 'dog ', 'not ', 'no cats, ', 'or and , ',
  'actually a cat ', 'under 300 ', '$1 - ', 'between 1 and ', 'kill my ', 'how to kill to ', 'ignore all the ', 'Rex Bella Luna ', 'Ab Cd Ef ', 'the first one ', 'it her him ',
  'my dog ate ', 'is Rex good with kids? ',
]; // prettier-ignore

/** The maximum CPU time of an answer. Answers take 1 to 15 ms, and would take far longer with a rule of quadratic time. */
const MOST_MILLISECONDS = 250;

const split = (text: string, role: ChatRole, length: number): readonly ChatMessage[] =>
  Array.from({ length: Math.ceil(text.length / length) }, (_, nth) => ({ role, content: text.slice(nth * length, (nth + 1) * length) }));

const CONVERSATIONS: readonly (readonly [string, (text: string) => readonly ChatMessage[]])[] = [
  ['one message', (text) => [{ role: 'USER', content: text }]],
  ['messages of 4,000 characters', (text) => split(text, 'USER', 4_000)],
  ['messages of 40 characters', (text) => split(text, 'USER', 40)],
  ['messages of the advisor', (text) => [...split(text, 'ASSISTANT', 4_000), { role: 'USER', content: 'a dog' }]],
  [
    'a message of the operator',
    (text) => [
      { role: 'SYSTEM', content: text },
      { role: 'USER', content: 'a dog' },
    ],
  ],
];

describe.each(CONVERSATIONS)('a mebibyte in %s', (_, conversation) => {
  it.each(SHAPES)('of %j has a quick answer of bounded length (contract 40.9)', async (shape) => {
    const messages = conversation(filled(shape));
    const before = process.cpuUsage();
    const advice = await advise({ messages, model: 'PET_ADVISOR_1', temperature: 1, seed: 1 }, sampleCatalogue());
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(MOST_MILLISECONDS);
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
