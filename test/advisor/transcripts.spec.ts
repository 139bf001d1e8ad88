import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { advise } from '../../libs/advisor/advise.js';
import { catalogueOf } from '../../libs/advisor/catalogue.fixtures.js';
import type { ChatMessage } from '../../libs/advisor/question.js';
import { ROOT } from '../servers/program.js';
import { faultsOf } from './invention.js';
import { seededPets } from './seeded-pets.js';

const FOLDER = join(ROOT, 'test', 'advisor', 'transcripts');
const CUSTOMER = '> ';

const PETS = seededPets();

/** Sends the lines of a transcript that begin with `> ` to the advisor. Returns the new transcript. */
const transcriptOf = async (text: string): Promise<string> => {
  const messages: ChatMessage[] = [];
  const turns: string[] = [];
  for (const line of text.split('\n').filter((one) => one.startsWith(CUSTOMER))) {
    messages.push({ role: 'USER', content: line.slice(CUSTOMER.length) });
    const advice = await advise({ messages, model: 'PET_ADVISOR_1', temperature: 1, seed: 7 }, catalogueOf(PETS));
    expect(faultsOf(advice, PETS, messages)).toEqual([]);
    messages.push({ role: 'ASSISTANT', content: advice.text });
    turns.push(`${line}\n\n${advice.text}\n`);
  }
  return turns.join('\n');
};

describe('a conversation with the advisor', () => {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.txt'));

  // `ACCEPT_TRANSCRIPTS=yes npm test -- test/advisor/transcripts` stores the new answers. Read them aloud first.
  it.each(files)('has the words of %s', async (file) => {
    const path = join(FOLDER, file);
    const text = await transcriptOf(readFileSync(path, 'utf8'));
    if (process.env.ACCEPT_TRANSCRIPTS === 'yes') writeFileSync(path, text);
    expect(text).toBe(readFileSync(path, 'utf8'));
  });

  it('has at least five turns in each of at least ten transcripts', () => {
    expect(files.length).toBeGreaterThanOrEqual(10);
    for (const file of files) expect(readFileSync(join(FOLDER, file), 'utf8').match(/^> /gm)?.length).toBeGreaterThanOrEqual(5);
  });
});
