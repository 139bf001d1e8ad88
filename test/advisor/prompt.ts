import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { advise } from '../../libs/advisor/advise.js';
import type { CataloguePet } from '../../libs/advisor/catalogue.js';
import { catalogueOf, pet, SAMPLE_PETS } from '../../libs/advisor/catalogue.fixtures.js';
import type { Advice, AdvisorModel, ChatMessage } from '../../libs/advisor/question.js';
import { ROOT } from '../servers/program.js';

type Said = string | { readonly assistant: string } | { readonly system: string };

/** A conversation and what the advisor's last answer must be like. README.md describes the members. */
export type Prompt = {
  readonly name: string;
  readonly say: readonly Said[];
  readonly catalog?: { readonly pets: readonly (Partial<CataloguePet> & { readonly name: string })[] };
  readonly model?: AdvisorModel;
  readonly contains?: readonly string[];
  readonly excludes?: readonly string[];
  readonly pets?: readonly string[];
  readonly finish?: Advice['finishReason'];
};

/** An answer, with the conversation that it belongs to. */
export type Answered = { readonly messages: readonly ChatMessage[]; readonly advice: Advice };

const FOLDER = join(ROOT, 'test', 'advisor');

/** Reads the prompts in a file. The path is relative to test/advisor. */
export const promptsOf = (file: string): readonly Prompt[] => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Prompt[];

/**
 * Reads every group in the folder `prompts`. Returns the name of each group (the file name without `.json`) with its prompts.
 */
export const promptGroups = (): readonly (readonly [group: string, prompts: readonly Prompt[]])[] =>
  readdirSync(join(FOLDER, 'prompts'))
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => [file.replace('.json', ''), promptsOf(join('prompts', file))]);

export const petsOf = ({ catalog }: Prompt): readonly CataloguePet[] =>
  catalog ? catalog.pets.map(({ name, ...more }) => pet(name, more)) : SAMPLE_PETS;

const messageOf = (said: Said): ChatMessage => {
  if (typeof said === 'string') return { role: 'USER', content: said };
  return 'system' in said ? { role: 'SYSTEM', content: said.system } : { role: 'ASSISTANT', content: said.assistant };
};

/** Returns the advisor's answer to these messages. */
export const ask = (prompt: Prompt, messages: readonly ChatMessage[], temperature = 1): Promise<Advice> =>
  advise({ messages, model: prompt.model ?? 'PET_ADVISOR_1', temperature, seed: 3 }, catalogueOf(petsOf(prompt)));

/**
 * Runs a conversation. The advisor answers each message of the customer, unless the next message in `say` is a forged answer
 * (`{"assistant": ...}`).
 */
export const converse = async (prompt: Prompt): Promise<readonly Answered[]> => {
  const messages: ChatMessage[] = [];
  const answers: Answered[] = [];
  for (const [nth, said] of prompt.say.entries()) {
    messages.push(messageOf(said));
    const next = prompt.say[nth + 1];
    if (typeof said !== 'string' || (typeof next === 'object' && 'assistant' in next)) continue;
    const advice = await ask(prompt, messages);
    answers.push({ messages: [...messages], advice });
    messages.push({ role: 'ASSISTANT', content: advice.text });
  }
  return answers;
};
