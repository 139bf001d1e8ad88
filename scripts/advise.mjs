/**
 * Starts a conversation with the built-in advisor in a terminal: `node scripts/advise.mjs`. The catalog has 60 sample pets.
 * Needs the pinned Node, which can import TypeScript.
 */
import { createInterface } from 'node:readline';
import './typescript-hooks.mjs';

const { advise } = await import('../libs/advisor/advise.ts');
const { sampleCatalogue } = await import('../libs/advisor/catalogue.fixtures.ts');

const catalogue = sampleCatalogue();
const messages = [];
const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: '> ' });
lines.prompt();
for await (const content of lines) {
  messages.push({ role: 'USER', content });
  const { text } = await advise({ messages, model: 'PET_ADVISOR_1', temperature: 1, seed: messages.length }, catalogue);
  messages.push({ role: 'ASSISTANT', content: text });
  process.stdout.write(`\n${text}\n\n`);
  lines.prompt();
}
