import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { eventually } from '../eventually.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { commandsOf, PRINTED_ADDRESS } from '../servers/documents.js';
import { waitUntilReady, type StoreProcess } from '../servers/process.js';
import { endPrograms, startProgram } from '../servers/program.js';
import { openShell, type Shell } from '../servers/shell.js';
import { itOnOwnStore as it } from '../servers/store.js';

const SLOW = 60_000;

/**
 * A command of a walk: a part of its text, and its output as JSON or text, null for none. With `later` it is repeated
 * until it prints that output.
 */
type Step = { readonly has: string; readonly prints: unknown; readonly later?: true };

const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
const source = {
  object: 'card',
  number: '************4242',
  brand: 'visa',
  last4: '4242',
  name: 'Ada Lovelace',
  expMonth: 12,
  expYear: 2035,
};
const nothingElse = { AVAILABLE: 0, PENDING: 0, NOT_AVAILABLE: 0, placed: 0, shipped: 0, delivered: 0 };

const README_WALK: readonly Step[] = [
  { has: 'TOKEN=', prints: null },
  { has: 'PET=', prints: id },
  { has: '/v1/pets?species=dog', prints: 'Biscuit' },
  { has: 'ORDER=', prints: id },
  { has: 'bob', prints: { status: 409, detail: expect.stringMatching(/not available/) } },
  { has: '4242424242424242', prints: { status: 'processing', source } },
  { has: 'jq .status', prints: 'approved', later: true },
];

/** The walk of docs/api.md. It continues the walk of the README on the same store. */
const API_WALK: readonly Step[] = [
  { has: 'TOKEN=', prints: null },
  { has: 'PET=', prints: null },
  { has: '-X QUERY', prints: 'Waffles' },
  { has: 'ORDER=', prints: null },
  { has: '4000000000000002', prints: 'processing' },
  { has: 'failureReason', prints: { status: 'failed', failureReason: 'card_declined' }, later: true },
  { has: '4242424242424242', prints: { status: 'processing', source } },
  { has: '/receipt', prints: { amount: '180.00', currency: 'USD', paidAt: expect.stringMatching(/^\d{4}-.*Z$/), source }, later: true },
  { has: '/v1/inventories', prints: { ...nothingElse, ADOPTED: 2, approved: 2 }, later: true },
];

let store: StoreProcess | undefined;
let shell: Shell | undefined;
beforeAll(async () => {
  // Builds first, so that the timeout covers only the start of the store.
  await startProgram('npm', ['run', '--silent', 'build']).ended;
  const env = { DATA_DIR: newFolder(), LOG_LEVEL: 'warn' };
  const [start = ''] = commandsOf('README.md', 'Run it');
  store = await waitUntilReady(startProgram('bash', ['-c', `exec ${start}`], { env: { ...env, PORT: '0' } }));
  shell = openShell(env);
}, SLOW);
afterAll(async () => {
  await shell?.close();
  await store?.stop();
  await endPrograms();
  removeFolders();
}, SLOW);

/** Runs a command. Returns its output: JSON as a value, other output as text, null for none. */
const outputOf = async (command: string): Promise<unknown> => {
  if (!shell || !store) throw new Error('there is no shell');
  const { code, stdout } = await shell.run(command.replaceAll(PRINTED_ADDRESS, store.url));
  expect({ command, code }).toEqual({ command, code: 0 });
  const text = stdout.trim();
  try {
    return text === '' ? null : (JSON.parse(text) as unknown);
  } catch {
    return text;
  }
};

describe.each([
  ['README.md', 'Walk through it', README_WALK],
  ['docs/api.md', 'Walk', API_WALK],
])('the walk in %s', (document, section, steps) => {
  const commands = commandsOf(document, section);

  it('has exactly the commands that are checked here', () => {
    const known = commands.map((command, nth) => (command.includes(steps[nth]?.has ?? '?') ? steps[nth]?.has : command));
    expect(known).toEqual(steps.map(({ has }) => has));
  });

  it(
    'prints what it documents, from the first command to the last',
    async () => {
      for (const [nth, command] of commands.entries()) {
        const { prints, later } = steps[nth] ?? { prints: null };
        const run = async () => {
          expect({ command, printed: await outputOf(command) }).toEqual({ command, printed: prints });
          return true;
        };
        // An assignment prints nothing. If its variable is empty, a later command fails.
        await (later ? eventually(`${command} to print ${JSON.stringify(prints)}`, run) : run());
      }
    },
    SLOW,
  );
});
