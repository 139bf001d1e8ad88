import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { runPetstore, startPetstore } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';

/** So many pets that `audit verify` verifies the chains of their events in a thread. */
const PETS = 100_000;
/** The events before the checkpoint. */
const FIRST = 10_000;
const PORTION = 15_000;
const ALTERED = 3;
const INTERRUPTED = 2;

/** Proves contract 35.4 for a long log, whose chains a thread verifies. */
describe('petstore audit verify on a long log', () => {
  const dataDir = newFolder();
  const verify = (...args: readonly string[]) => runPetstore(['audit', 'verify', ...args], { dataDir });
  const run = (sql: string): void => {
    const database = new DatabaseSync(join(dataDir, 'petstore.sqlite'));
    database.exec(sql);
    database.close();
  };

  beforeAll(async () => {
    await runPetstore(['seed', '--pets', String(FIRST), '--pictures', '0'], { dataDir });
    await runPetstore(['audit', 'checkpoint'], { dataDir });
    // In portions, because a command that takes longer than 25 seconds fails the test.
    for (let left = PETS - FIRST; left > 0; left -= PORTION)
      await runPetstore(['seed', '--pets', String(PORTION), '--pictures', '0'], { dataDir });
  });
  afterAll(async () => {
    await endPrograms();
    removeFolders();
  });

  it('shows its progress, and finds no fault in an unaltered log', async () => {
    const { code, stdout, stderr } = await verify();
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^The log is whole: 101\d\d\d events\.$/m)]);
    expect(stderr).toMatch(/[45]\d % {2}[45]\d,\d{3} of 101,\d{3} events verified, [\d,]+ a second, \d+ s left/);
  });

  it('ends at Ctrl-C with the option that continues it, once the chains are verified as far', async () => {
    const program = startPetstore(['audit', 'verify'], { dataDir });
    await eventually('the first events to be verified', () => /[2-9]\d %/.test(program.stderr()));
    program.signal('SIGINT');
    const { code } = await program.ended;
    const stderr = program.stderr();
    expect([code, stderr]).toEqual([
      INTERRUPTED,
      expect.stringMatching(/interrupted after \d+ events?, without a fault so far; .* pass --from (\d+)/),
    ]);
    const [, from = ''] = /--from (\d+)/.exec(stderr) ?? [];
    expect((await verify('--from', from)).stdout).toContain(`after the first ${from}, which were not read`);
  });

  it('names each event that was altered, and exits with 3', async () => {
    for (const position of [5, PETS / 2, PETS]) run(`UPDATE events SET data = data || ' ' WHERE position = ${position}`);
    const { code, stdout } = await verify('--json');
    const { faults } = JSON.parse(stdout) as { readonly faults: readonly { readonly kind: string }[] };
    expect([code, faults.map(({ kind }) => kind)]).toEqual([ALTERED, ['altered', 'altered', 'altered']]);
  });
});
