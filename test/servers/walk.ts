import { expect } from '@jest/globals';
import { eventually } from '../eventually.js';
import type { Shell } from './shell.js';

/**
 * A documented command that a test runs. `has` is a part of its text. `prints` is its expected output, as JSON or text, or null
 * if it must print nothing. With `later`, the command is repeated until it prints the expected output.
 */
export type Step = { readonly has: string; readonly prints: unknown; readonly later?: true };

const id = expect.stringMatching(/^[0-9a-f-]{36}$/);

/** The card that the documented commands use, as responses show it. */
export const shownCard = {
  object: 'card',
  number: '************4242',
  brand: 'visa',
  last4: '4242',
  name: 'Ada Lovelace',
  expMonth: 12,
  expYear: 2035,
};

/** The steps of the README: one for each of its commands, in order. */
export const README_WALK: readonly Step[] = [
  { has: 'TOKEN=', prints: null },
  { has: 'PET=', prints: id },
  { has: '/v1/pets?species=dog', prints: 'Biscuit' },
  { has: 'ORDER=', prints: id },
  { has: 'bob', prints: { status: 409, detail: expect.stringMatching(/not available/) } },
  { has: '4242424242424242', prints: { status: 'processing', source: shownCard } },
  { has: 'jq .status', prints: 'approved', later: true },
  { has: 'docs/nutmeg.png', prints: expect.stringMatching(/640/) },
  { has: '.photos', prints: expect.stringMatching(/^http.*\/images\//) },
  { has: 'ADOPTION=', prints: id },
  { has: '/approval', prints: 'approved' },
];

/** Runs a command. Returns its output: JSON as a value, other output as text, null for none. */
const outputOf = async (shell: Shell, command: string): Promise<unknown> => {
  const { code, stdout } = await shell.run(command);
  expect({ command, code }).toEqual({ command, code: 0 });
  const text = stdout.trim();
  try {
    return text === '' ? null : (JSON.parse(text) as unknown);
  } catch {
    return text;
  }
};

/** Runs the commands of a document, and compares the output of each with its step. */
export const walkThrough = async (shell: Shell, commands: readonly string[], steps: readonly Step[]): Promise<void> => {
  for (const [nth, command] of commands.entries()) {
    const { prints, later } = steps[nth] ?? { prints: null };
    const run = async () => {
      expect({ command, printed: await outputOf(shell, command) }).toEqual({ command, printed: prints });
      return true;
    };
    // A command without a step must print nothing. If it assigns an empty variable, a later command fails.
    await (later ? eventually(`${command} to print ${JSON.stringify(prints)}`, run) : run());
  }
};
