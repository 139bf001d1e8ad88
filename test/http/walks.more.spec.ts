import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { commandsOf, PRINTED_ADDRESS } from '../servers/documents.js';
import { waitUntilReady, type ServiceProcess } from '../servers/process.js';
import { endPrograms, startProgram } from '../servers/program.js';
import { openShell, type Shell } from '../servers/shell.js';
import { itOnOwnPetstore as it } from '../servers/test-petstore.js';
import { README_WALK, shownCard, walkThrough, type Step } from '../servers/walk.js';

const nothingElse = { AVAILABLE: 0, PENDING: 0, NOT_AVAILABLE: 0, placed: 0, shipped: 0, delivered: 0 };

/** The commands of docs/api.md. They run after those of the README, on the same service. */
const API_WALK: readonly Step[] = [
  { has: 'TOKEN=', prints: null },
  { has: 'PET=', prints: null },
  { has: '-X QUERY', prints: 'Waffles' },
  { has: 'If-Match', prints: '180.00' },
  { has: 'ORDER=', prints: null },
  { has: '4000000000000002', prints: 'processing' },
  { has: 'failureReason', prints: { status: 'failed', failureReason: 'card_declined' }, later: true },
  { has: '4242424242424242', prints: { status: 'processing', source: shownCard } },
  {
    has: '/receipt',
    prints: { amount: '180.00', currency: 'USD', paidAt: expect.stringMatching(/^\d{4}-.*Z$/), source: shownCard },
    later: true,
  },
  { has: '/v1/inventories', prints: { ...nothingElse, ADOPTED: 3, approved: 2 }, later: true },
];

const API_ADOPTION: readonly Step[] = [
  { has: 'PET=', prints: null },
  { has: 'ANN=', prints: null },
  { has: '/withdrawal', prints: 'withdrawn' },
  { has: 'status=submitted', prints: { name: 'Ann Lee', message: 'We have a garden.' }, later: true },
  { has: '/approval', prints: 'approved' },
  { has: '-X DELETE', prints: '"approved"\n204\n"ADOPTED"' },
];

const API_CHAT: readonly Step[] = [{ has: '/v1/chat/completions', prints: expect.stringMatching(/^From the guide, "Dogs: exercise"/) }];

let service: ServiceProcess | undefined;
let shell: Shell | undefined;
beforeAll(async () => {
  // Builds first, so that the timeout covers only the start of the service.
  await startProgram('npm', ['run', '--silent', 'build']).ended;
  const env = { DATA_DIR: newFolder(), LOG_LEVEL: 'warn' };
  const [start = ''] = commandsOf('README.md', 'Run it');
  service = await waitUntilReady(startProgram('bash', ['-c', `exec ${start}`], { env: { ...env, PORT: '0' } }));
  shell = openShell(env);
});
afterAll(async () => {
  await shell?.close();
  await service?.stop();
  await endPrograms();
  removeFolders();
});

describe.each([
  ['README.md', 'Walk through it', README_WALK],
  ['docs/api.md', 'Walk', API_WALK],
  ['docs/api.md', 'Adoption', API_ADOPTION],
  ['docs/api.md', 'Chat', API_CHAT],
])('the walk in %s', (document, section, steps) => {
  const commands = commandsOf(document, section);

  it('has exactly the commands that are checked here', () => {
    const known = commands.map((command, nth) => (command.includes(steps[nth]?.has ?? '?') ? steps[nth]?.has : command));
    expect(known).toEqual(steps.map(({ has }) => has));
  });

  it('prints what it documents, from the first command to the last', async () => {
    if (!shell || !service) throw new Error('there is no shell');
    const { url } = service;
    await walkThrough(
      shell,
      commands.map((command) => command.replaceAll(PRINTED_ADDRESS, url)),
      steps,
    );
  });
});
