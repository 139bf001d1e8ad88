import type { ChatMessage, ChatRole } from '../../libs/advisor/question.js';

const MEBIBYTE = 1 << 20;
/** Repeats a text up to a mebibyte. */
export const filled = (text: string): string => text.repeat(Math.ceil(MEBIBYTE / text.length)).slice(0, MEBIBYTE);

/** The answer would be slow if the time of a rule grew faster than the text. */
export const SHAPES = [
  'a', ' ', '\n', '1', '1,', "'", "a'", '"', '-', 'a-', '?.!', 'a.b-c-', 'a\u0301', '\u0301', '🐶', '狗', '<b>', '\u0000', 'dog ', 'not ', 'no cats, ', 'or and , ',
  'actually a cat ', 'under 300 ', '$1 - ', 'between 1 and ', 'kill my ', 'how to kill to ', 'ignore all the ', 'Rex Bella Luna ', 'Ab Cd Ef ', 'the first one ', 'it her him ',
  'my dog ate ', 'is Rex good with kids? ',
]; // prettier-ignore

const split = (text: string, role: ChatRole, length: number): readonly ChatMessage[] =>
  Array.from({ length: Math.ceil(text.length / length) }, (_, nth) => ({ role, content: text.slice(nth * length, (nth + 1) * length) }));

/** Divides a text into the messages of a conversation. */
export const CONVERSATIONS: readonly (readonly [string, (text: string) => readonly ChatMessage[]])[] = [
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
