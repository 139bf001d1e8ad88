import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../servers/program.js';
import { chat } from './seeded-chat.js';

const FOLDER = join(ROOT, 'test', 'advisor', 'transcripts');
const CUSTOMER = '> ';

/** Sends the lines of a transcript that begin with `> ` to the advisor. Returns the new transcript. */
const transcriptOf = async (text: string): Promise<string> => {
  const said = text.split('\n').flatMap((line) => (line.startsWith(CUSTOMER) ? [line.slice(CUSTOMER.length)] : []));
  const turns = await chat(said, 'PET_ADVISOR_1');
  return turns.map(([message, answer]) => `${CUSTOMER}${message}\n\n${answer}\n`).join('\n');
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
