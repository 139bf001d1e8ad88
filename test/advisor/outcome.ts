import { faultsOf } from './invention.js';
import { converse, petsOf, type Answered, type Prompt } from './prompt.js';

/** The result of a conversation: the faults of all answers, and the unmet requirements and the text of the last answer. */
export type Outcome = { readonly faults: readonly string[]; readonly unmet: readonly string[]; readonly text: string };

export const matches = (text: string, wanted: string): boolean => {
  const [, source] = /^\/(.*)\/$/s.exec(wanted) ?? [];
  return source === undefined ? text.toLowerCase().includes(wanted.toLowerCase()) : new RegExp(source, 'is').test(text);
};

const unmetBy = (
  { contains = [], excludes = [], pets, finish = 'STOP' }: Prompt,
  { advice: { text, ...advice } }: Answered,
  names: readonly string[],
): readonly string[] => [
  ...contains.flatMap((wanted) => (matches(text, wanted) ? [] : [`must contain ${wanted}`])),
  ...excludes.flatMap((unwanted) => (matches(text, unwanted) ? [`must not contain ${unwanted}`] : [])),
  ...(pets === undefined || pets.join() === names.join() ? [] : [`must be about ${pets.join(', ') || 'no pet'}, not ${names.join(', ')}`]),
  ...(advice.finishReason === finish ? [] : [`must finish with ${finish}`]),
];

/** Runs the conversation of a prompt and checks its answers. */
export const outcomeOf = async (prompt: Prompt): Promise<Outcome> => {
  const answers = await converse(prompt);
  const pets = petsOf(prompt);
  const last = answers.at(-1) as Answered;
  const names = last.advice.pets.map((id) => pets.find((pet) => pet.id === id)?.name ?? id);
  return {
    faults: answers.flatMap(({ advice, messages }) => faultsOf(advice, pets, messages)),
    unmet: unmetBy(prompt, last, names),
    text: last.advice.text,
  };
};
