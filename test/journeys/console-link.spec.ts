import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.js';
import { caller } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { startServiceProcess } from '../servers/process.js';
import { endPrograms, ROOT, startProgram } from '../servers/program.js';

const NODE = join(ROOT, 'node_modules', '.bin', 'node');
const MAIN = join(ROOT, 'dist', 'apps', 'petstore', 'main.js');
/** Runs a program with a terminal as its input and output. */
const ON_TERMINAL = ['-c', 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)'];
const LINK = /Console +(http:\/\/\S+)\/ops#link=([\w-]{43}) {3}\(signs in once, within 10 minutes\)/;

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

/** Proves contract 43.11. */
describe('the banner', () => {
  it('has a link on a terminal, which signs in once, and which the log never has', async () => {
    const env = { DATA_DIR: newFolder(), PORT: '0', NO_COLOR: '1', LOG_LEVEL: 'trace' };
    const service = startProgram('python3', [...ON_TERMINAL, NODE, MAIN, 'start'], { env });
    const [, url = '', secret = ''] = await eventually('the link', () => LINK.exec(service.stdout()));
    const exchange = () => caller(url)('POST', '/ops/link', { body: { secret }, headers: { origin: url } });
    const { status, json } = await exchange();
    expect([status, (await caller(url, String(json['token']))('GET', '/v1/ops/health')).status]).toEqual([200, 200]);
    expect((await exchange()).status).toBe(403);
    await eventually('the log of the exchange', () => /POST \/ops\/link/.test(service.stdout()));
    expect(service.stdout().split(secret).length).toBe(2);
  });

  it('has the address of the console alone in a pipe', async () => {
    const service = await startServiceProcess({ dataDir: newFolder() });
    await eventually('the banner', () => service.stdout().includes('Press Ctrl-C'));
    expect(service.stdout()).toMatch(new RegExp(`Console +${service.url}/ops\n`));
    expect(service.stdout()).not.toContain('#link');
    const link = { body: { secret: 'any' }, headers: { origin: service.url } };
    expect((await caller(service.url)('POST', '/ops/link', link)).status).toBe(404);
  });
});
