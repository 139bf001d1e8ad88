import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { endPrograms, ROOT, startProgram, type Program } from '../servers/program.js';

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

/** Starts a program that blocks a thread of Node permanently, and then runs the code in `end`. */
const endWithBusyThread = (end: string): Program => {
  const pipe = join(newFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const module = JSON.stringify(join(ROOT, 'dist/apps/petstore/running/end-process.js'));
  const code = `
    import { open } from 'node:fs';
    import { endProcess } from ${module};
    open(${JSON.stringify(pipe)}, 'r', () => undefined); // waits until someone writes
    process.on('exit', (code) => console.log('exit event', code));
    setImmediate(() => { console.log('ends'); ${end}; });`;
  return startProgram(process.execPath, ['--input-type=module', '--eval', code]);
};

/** Proves contract 26.4. */
describe('a process with unfinished work in a thread of Node', () => {
  it.each([0, 1])('ends at once by endProcess, with exit code %i and the exit event', async (code) => {
    const program = endWithBusyThread(`endProcess(${code})`);
    expect(await program.ended).toEqual({ code, signal: null });
    expect(program.stdout()).toBe(`ends\nexit event ${code}\n`);
    expect(program.stderr()).toBe('');
  });

  it('does not end by process.exit, which is why endProcess exists', async () => {
    const program = endWithBusyThread('process.exit(0)');
    await eventually('the exit event', () => program.stdout().includes('exit event'));
    program.signal('SIGKILL');
    expect(await program.ended).toEqual({ code: null, signal: 'SIGKILL' });
  });
});
