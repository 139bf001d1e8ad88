import { afterEach, describe, expect, it } from '@jest/globals';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { petstore, spawnStore } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

describe('a folder that a store is open on', () => {
  it('lets no second process in, which says who has it', async () => {
    const dataDir = newFolder();
    const first = await spawnStore({ dataDir });
    const second = await petstore(['start'], { dataDir });
    expect(second.code).toBe(2);
    expect(second.stdout).toBe('');
    expect(second.stderr).toContain(`process ${first.pid}`);
    expect(second.stderr).toContain(first.url);
    // A refusal is told in words, not in a stack.
    expect(second.stderr).not.toMatch(/\n\s+at /);
    expect((await fetch(`${first.url}/health/ready`)).status).toBe(200);
  }, 30_000);

  it('is free again at once when that process is killed', async () => {
    const dataDir = newFolder();
    const first = await spawnStore({ dataDir });
    await first.kill9();
    const second = await spawnStore({ dataDir });
    expect(second.pid).not.toBe(first.pid);
    expect(await second.stop()).toEqual({ code: 0, signal: null });
  }, 30_000);
});
