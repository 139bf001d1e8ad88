import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openForTest, temporaryFolder } from '../sqlite.fixtures.js';
import { readHolder } from './lock.js';

/** A script that takes the lock as the service does, and then prints `held`. */
const HOLD = `
const { DatabaseSync } = require('node:sqlite');
const lock = new DatabaseSync(process.argv[1]);
lock.exec('BEGIN EXCLUSIVE');
process.stdout.write('held');
setInterval(() => lock.isOpen, 1000);`;

describe('the lock on a folder', () => {
  let folder: string;
  let remove: () => void;
  let child: ChildProcess | null = null;
  beforeEach(() => void ({ folder, remove } = temporaryFolder()));
  afterEach(async () => {
    await kill();
    remove();
  });

  const holdElsewhere = async (): Promise<void> => {
    mkdirSync(folder, { recursive: true });
    const other = spawn(process.execPath, ['--no-warnings', '-e', HOLD, join(folder, 'lock.sqlite')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child = other;
    await once(other.stdout, 'data');
  };
  const kill = async (): Promise<void> => {
    const ended = child && once(child, 'exit');
    child?.kill('SIGKILL');
    child = null;
    await ended;
  };

  it('rejects a second process and names the holder', async () => {
    const store = await openForTest(folder);
    store.announce('http://127.0.0.1:3000');
    await expect(openForTest(folder)).rejects.toMatchObject({
      name: 'FolderRefused',
      refusal: 'held',
      message: expect.stringMatching(new RegExp(`process ${process.pid} at http://127.0.0.1:3000, since 2026-01-02`)),
    });
    await store.close();
  });

  it('is held by a process whose id, start time and URL can be read', async () => {
    expect(await readHolder(folder)).toBeNull();
    const store = await openForTest(folder);
    const startedAt = store.clock.now().toISOString();
    expect(await readHolder(folder)).toEqual({ pid: process.pid, startedAt });
    store.announce('http://127.0.0.1:3000');
    expect(await readHolder(folder)).toEqual({ pid: process.pid, startedAt, url: 'http://127.0.0.1:3000' });
    await store.close();
    expect(await readHolder(folder)).toBeNull();
  });

  it('is not released when a process reads its holder', async () => {
    const store = await openForTest(folder);
    await readHolder(folder);
    await expect(openForTest(folder)).rejects.toMatchObject({ refusal: 'held' });
    await store.close();
  });

  it('applies across processes, and ends when its holder is killed', async () => {
    await holdElsewhere();
    writeFileSync(join(folder, 'holder.json'), JSON.stringify({ pid: 4711, startedAt: '2026-01-01T00:00:00.000Z' }));
    await expect(openForTest(folder)).rejects.toMatchObject({
      refusal: 'held',
      message: expect.stringContaining('process 4711, since 2026-01-01'),
    });
    expect(await readHolder(folder)).toMatchObject({ pid: 4711 });
    await kill();
    expect(await readHolder(folder)).toBeNull();
    await (await openForTest(folder)).close();
  });

  it('rejects a second process even when its holder has not written the holder file', async () => {
    await holdElsewhere();
    await expect(openForTest(folder)).rejects.toMatchObject({ refusal: 'held', message: expect.stringContaining('another process') });
    await expect(readHolder(folder)).rejects.toMatchObject({ refusal: 'held' });
  });

  it('is released when opening fails later', async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'petstore.sqlite'), 'this is no database, and long enough to be seen as none'.repeat(100));
    await expect(openForTest(folder)).rejects.toMatchObject({
      name: 'FolderRefused',
      refusal: 'damaged',
      message: expect.stringContaining('petstore.sqlite'),
    });
    expect(await readHolder(folder)).toBeNull();
    expect(existsSync(join(folder, 'holder.json'))).toBe(false);
  });
});
