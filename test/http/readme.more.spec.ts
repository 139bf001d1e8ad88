import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { eventually } from '../eventually.js';
import { saying } from '../journeys/building.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { readyStore, type StoreProcess } from '../servers/process.js';
import { endPrograms, ROOT, startProgram } from '../servers/program.js';
import { freePorts } from '../servers/services/free-ports.js';
import { openShell, type Printed, type Shell } from '../servers/shell.js';
import { itOnOwnStore as it } from '../servers/store.js';

const PRINTED_ADDRESS = 'http://127.0.0.1:3000';
const SLOW = 60_000;

/** Every command of a section, in the order in which a reader types them. */
const commands = (title: string): readonly string[] => {
  const [, after = ''] = readFileSync(join(ROOT, 'README.md'), 'utf8').split(`\n## ${title}\n`);
  const [section = ''] = after.split(/^## /m);
  return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => (block ?? '').trim());
};

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

/** What each command prints, as JSON; null for one that keeps what it gets in a variable. `later`: a moment later, so ask again. */
const STEPS: readonly { readonly has: string; readonly prints: unknown; readonly later?: true }[] = [
  { has: 'TOKEN=', prints: null },
  { has: 'PET=', prints: null },
  { has: '/v1/pets?species=dog', prints: { page: 1, limit: 20, totalItems: 1, totalPages: 1 } },
  { has: '-X QUERY', prints: 'Biscuit' },
  { has: 'ORDER=', prints: null },
  { has: '4000000000000002', prints: 'processing' },
  { has: 'failureReason', prints: { status: 'failed', failureReason: 'card_declined' }, later: true },
  { has: '4242424242424242', prints: { status: 'processing', source } },
  { has: 'jq .status', prints: 'approved', later: true },
  { has: '/receipt', prints: { amount: '250.00', currency: 'USD', paidAt: expect.stringMatching(/^\d{4}-.*Z$/), source } },
  { has: '/v1/inventories', prints: { ...nothingElse, ADOPTED: 1, approved: 1 }, later: true },
];

let store: StoreProcess | undefined;
let shell: Shell | undefined;
beforeAll(async () => {
  // Built first, so that the store's own start is all that is waited for.
  await startProgram('npm', ['run', '--silent', 'build']).ended;
  const env = { DATA_DIR: newFolder(), LOG_LEVEL: 'warn' };
  store = await readyStore(startProgram('npm', ['start'], { env: { ...env, PORT: '0' } }));
  shell = openShell(env);
}, SLOW);
const type = (command: string): Promise<Printed> => {
  if (!shell || !store) throw new Error('there is no shell');
  return shell.run(command.replaceAll(PRINTED_ADDRESS, store.url));
};
afterAll(async () => {
  await shell?.close();
  await store?.stop();
  await endPrograms();
  removeFolders();
}, SLOW);

describe('the walk in the README', () => {
  it('has the commands that are looked at here, and no other', () => {
    expect(
      commands('Walk through it').map((command, nth) => (command.includes(STEPS[nth]?.has ?? '?') ? STEPS[nth]?.has : command)),
    ).toEqual(STEPS.map(({ has }) => has));
  });

  it(
    'does what it says, as printed, from the first command to the last',
    async () => {
      for (const [nth, command] of commands('Walk through it').entries()) {
        const { prints, later } = STEPS[nth] ?? { prints: null };
        const run = async () => {
          const { code, stdout } = await type(command);
          expect({ command, code }).toEqual({ command, code: 0 });
          const printed: unknown = stdout.trim() === '' ? null : JSON.parse(stdout);
          expect({ command, printed }).toEqual({ command, printed: prints });
          return true;
        };
        // What is kept in a variable is of use to the commands after it, or they would fail.
        await (later ? eventually(`${command} to print ${JSON.stringify(prints)}`, run) : run());
      }
    },
    SLOW,
  );
});

describe('webhooks in the README, after the walk', () => {
  it(
    'are registered, received, listed, sent again, rotated and taken away as printed, and a callback comes',
    async () => {
      const port = String(await freePorts());
      const typed = commands('Webhooks').map((command) => command.replaceAll('4001', port));
      const [register = '', receive = '', test = '', list = '', redeliver = '', rotate = '', callBack = '', remove = '', ...others] = typed;
      expect(others).toEqual([]);
      const printedBy = async (command: string): Promise<string> => {
        const { code, stdout } = await type(command);
        expect({ command, code }).toEqual({ command, code: 0 });
        return stdout.trim();
      };

      const secret = await printedBy(register);
      const env = { STORE_URL: store?.url ?? '' };
      const receiver = startProgram('bash', ['-c', receive.replace('whsec_…', secret)], { env, detached: true });
      await saying(receiver, /listens at/);
      expect(await printedBy(test)).toBe('');
      const [, id] = await saying(receiver, /verified (\S+)\n/);
      await saying(receiver, new RegExp(`handled webhook.test ${id}\n`));
      await eventually('the list to show the attempt', async () => {
        expect(JSON.parse(await printedBy(list))).toEqual([expect.objectContaining({ status: 204 })]);
        return true;
      });
      expect(await printedBy(redeliver)).toBe('"pending"');
      await saying(receiver, new RegExp(`duplicate ${id}\n`));
      expect(await printedBy(rotate)).toMatch(/^whsec_/);
      expect(await printedBy(callBack)).toBe('{}');
      await saying(receiver, /handled callback COMPLETED \S+\n/);
      expect(await printedBy(remove)).toBe('204');
      receiver.signal('SIGINT', 'group');
      await receiver.ended;
    },
    SLOW,
  );
});
