import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.js';
import { newFolder } from '../servers/data-folder.js';
import { unreadPipe } from '../servers/outputs.js';
import { runPetstore } from '../servers/process.js';
import { ROOT, runProgram, startProgram } from '../servers/program.js';
import { open, startWithOutputs, sendReadsAndWrites } from './log-outputs.js';

type Line = { readonly msg: string; readonly dropped?: number; readonly method?: string };

/** Proves contract 25.5. */
describe('a log that is not read for a while', () => {
  it('contains the buffered lines and the number of dropped lines', async () => {
    const output = open(unreadPipe);
    const { service, call } = await startWithOutputs('debug', { stderr: output.target });
    // 6,000 lines of more than 300 bytes exceed the pipe (64 KiB) and the queue (1 MiB), so some lines are dropped.
    expect(await sendReadsAndWrites(call, 6_000)).toEqual([200, 201]);

    let text = '';
    const linesSoFar = (): readonly Line[] =>
      text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Line);
    const notice = await eventually('the number of dropped lines', () => {
      text += output.read();
      return linesSoFar().find(({ dropped }) => dropped !== undefined);
    });
    const requests = linesSoFar().filter(({ msg }) => msg === 'request').length;
    expect(requests + (notice.dropped ?? 0)).toBe(6_000);
    expect(await sendReadsAndWrites(call, 20)).toEqual([200, 201]);
    await eventually('new lines', () => {
      text += output.read();
      return linesSoFar().filter(({ msg }) => msg === 'request').length === requests + 20;
    });
    service.signal('SIGTERM');
    expect(await service.ended).toEqual({ code: 0, signal: null });
    text += output.read();
    expect(linesSoFar().at(-1)?.msg).toBe('stopped');
  });
});

const NODE = join(ROOT, 'node_modules', '.bin', 'node');
const MAIN = join(ROOT, 'dist', 'apps', 'petstore', 'main.js');
const LOG = join(ROOT, 'dist', 'apps', 'petstore', 'logging', 'log.js');
/** Runs a program with a terminal as its input and output. */
const ON_TERMINAL = ['-c', 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)'];

/** Proves contract 25.5. */
describe('the log', () => {
  const code = `import('${LOG}').then(({ createLog }) => createLog('info').info({ login: { password: 'hunter2', token: 'abc' } }, 'signed in'))`;

  it('is JSON without secrets in a pipe', async () => {
    const { stderr } = await runProgram(NODE, ['-e', code]);
    expect(JSON.parse(stderr)).toMatchObject({ level: 30, login: { password: '[redacted]', token: '[redacted]' }, msg: 'signed in' });
  });

  it('is short text without secrets on a terminal', async () => {
    const { stdout } = await runProgram('python3', [...ON_TERMINAL, NODE, '-e', code], { env: { NO_COLOR: '1' } });
    expect(stdout).toMatch(/^\[\d\d:\d\d:\d\d\] INFO: signed in \{"login":\{"password":"\[redacted\]","token":"\[redacted\]"\}\}\s*$/);
  });

  it('counts most requests on a terminal, so that a seed does not fill it', async () => {
    const dataDir = newFolder();
    const env = { DATA_DIR: dataDir, PORT: '0', NO_COLOR: '1' };
    const service = startProgram('python3', [...ON_TERMINAL, NODE, MAIN, 'start'], { env });
    await eventually('the service', () => service.stdout().includes('Press Ctrl-C'));
    expect((await runPetstore(['seed', '--pets', '1000', '--pictures', '0'], { dataDir })).code).toBe(0);
    const shown = await eventually('the number of the other requests', () =>
      /\d+ more requests/.test(service.stdout()) ? service.stdout() : null,
    );
    expect(shown).toMatch(/\] INFO: POST \/v1\/pets 201 \d+ ms seed\r\n/);
    expect(shown.split('\n').length).toBeLessThan(200);
    expect(shown).not.toContain('"msg"');
  });
});
