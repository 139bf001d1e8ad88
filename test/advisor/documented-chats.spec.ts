import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../servers/program.js';
import { chat } from './seeded-chat.js';

const DOCUMENT = join(ROOT, 'docs', 'api.md');
const BLOCK = /^```text\n(You: .*?)^```$/gms;
/** The maximum number of characters in a line of a document. */
const WIDTH = 105;

/** Breaks a text into lines of at most WIDTH characters. */
const wrapped = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replaceAll(new RegExp(`(.{1,${WIDTH}})(?: |$)`, 'g'), '$1\n').trimEnd())
    .join('\n');

/** Sends the lines that begin with `You: ` to the advisor. Returns the whole conversation as the document shows it. */
const conversationOf = async (block: string): Promise<string> => {
  const said = [...block.matchAll(/^You: (.*)$/gm)].map(([, message = '']) => message);
  const turns = await chat(said, 'PET_ADVISOR_TURBO');
  return turns.map(([message, answer]) => `You: ${message}\n${wrapped(`Advisor: ${answer}`)}\n`).join('\n');
};

describe('the conversations in docs/api.md', () => {
  // `ACCEPT_TRANSCRIPTS=yes npm test -- test/advisor/documented-chats` stores the new answers. Read them aloud first.
  it('are three of five turns, with the words of the advisor', async () => {
    const document = readFileSync(DOCUMENT, 'utf8');
    const documented = [...document.matchAll(BLOCK)].map(([, block = '']) => block);
    const answered = await Promise.all(documented.map(conversationOf));
    if (process.env.ACCEPT_TRANSCRIPTS === 'yes') {
      const left = [...answered];
      writeFileSync(
        DOCUMENT,
        document.replaceAll(BLOCK, () => `\`\`\`text\n${left.shift()}\`\`\``),
      );
    } else expect(documented).toEqual(answered);
    expect(answered.map((conversation) => conversation.match(/^You: /gm)?.length)).toEqual([5, 5, 5]);
  });
});
