import { afterEach, describe, expect, it } from '@jest/globals';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { runPetstore, startServiceProcess } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

describe('a folder on which a service runs', () => {
  it('cannot be opened by a second process, which names the first one', async () => {
    const dataDir = newFolder();
    const first = await startServiceProcess({ dataDir });
    const second = await runPetstore(['start'], { dataDir });
    expect(second.code).toBe(2);
    expect(second.stdout).toBe('');
    expect(second.stderr).toContain(`process ${first.pid}`);
    expect(second.stderr).toContain(first.url);
    // The message has no stack.
    expect(second.stderr).not.toMatch(/\n\s+at /);
    expect((await fetch(`${first.url}/health/ready`)).status).toBe(200);
  });

  it('can be opened as soon as the first process is killed', async () => {
    const dataDir = newFolder();
    const first = await startServiceProcess({ dataDir });
    await first.kill9();
    const second = await startServiceProcess({ dataDir });
    expect(second.pid).not.toBe(first.pid);
    expect(await second.stop()).toEqual({ code: 0, signal: null });
  });
});
