import { cpSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { commandsOf } from '../servers/documents.js';
import { endPrograms, ROOT, startProgram, type ProgramResult } from '../servers/program.js';
import { TUTORIAL, tutorialFiles } from './tutorial.js';

/** Entries that are not needed to run specs. */
const NOT_COPIED = ['.git', '.data', '.cluster', 'coverage', 'dist', 'node_modules'];

let folder: string;
let files: ReadonlyMap<string, string>;
beforeAll(() => {
  folder = newFolder();
  for (const name of readdirSync(ROOT))
    if (!NOT_COPIED.includes(name) && !name.endsWith('.log')) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  files = tutorialFiles(folder);
  for (const [file, text] of files) writeFileSync(join(folder, file), text);
});
afterAll(async () => {
  await endPrograms();
  removeFolders();
});

const run = async (command: string): Promise<ProgramResult> => {
  const program = startProgram('bash', ['-c', command], { cwd: folder });
  const exit = await program.ended;
  return { ...exit, stdout: program.stdout(), stderr: program.stderr() };
};
const passes = async (command: string): Promise<void> => {
  const { code, stdout, stderr } = await run(command);
  expect({ command, code, output: code === 0 ? '' : stdout + stderr }).toEqual({ command, code: 0, output: '' });
};

/** The checks of `npm run check`, on the changed files only, which is faster. */
const CHECKS = ['tsc --noEmit', 'prettier --check', 'eslint --max-warnings 0'];

/** The part of `npm test` that the steps can break: everything but the suites that start servers or the service. */
const SPECS = 'npm test -- apps libs test/golden test/architecture test/http/pets-withdrawal test/http/hostile-tenants';

describe('a copy of the repository after every step of docs/tutorial.md', () => {
  it('fails while the new message is not accepted', async () => {
    const { code, stdout, stderr } = await run('npm test -- test/golden/message-schemas');
    expect([code, stdout + stderr]).toEqual([1, expect.stringContaining('petstore.pet.withdrawn.v1')]);
  });

  it('passes after the commands of the tutorial', async () => {
    const [accept = '', ...more] = commandsOf(TUTORIAL, 'Golden files and generated tables');
    expect([more, commandsOf(TUTORIAL, 'Run the specs')]).toEqual([[], ['npm test\nnpm run check']]);
    for (const command of accept.split('\n')) await passes(command);
    await passes(SPECS);
  });

  it.each(CHECKS)('passes %s', async (check) => {
    const changed = [...files.keys()].filter(
      (file) => check.startsWith('prettier') || (check.startsWith('eslint') && file.endsWith('.ts')),
    );
    await passes(`node_modules/.bin/${check} ${changed.join(' ')}`);
  });
});
