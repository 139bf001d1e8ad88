import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { KEYS_FILE } from './folder/file-names.js';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';
import { temporaryFolder } from './sqlite.fixtures.js';
import { manualClock, type ManualClock } from '../../eventsourcing/testing/manual-clock.js';
import { openKeyVault, type OpenKeyVault } from './open-key-vault.js';

describe('the key vault of a folder', () => {
  let folder: string;
  let remove: () => void;
  let keys: OpenKeyVault;
  let clock: ManualClock;
  beforeEach(async () => {
    ({ folder, remove } = temporaryFolder());
    clock = manualClock();
    keys = await openKeyVault(folder, clock);
  });
  afterEach(async () => {
    await keys.close();
    remove();
  });
  const isOnDisk = (key: Uint8Array): boolean =>
    readdirSync(folder).some((file) => readFileSync(join(folder, file)).includes(Buffer.from(key)));

  it('keeps its keys after a restart, and a destroyed key stays destroyed', async () => {
    const [service, anna] = [await keys.serviceKey('signing'), await keys.personalKey('anna')];
    await keys.destroyPersonalKey('bert');
    await keys.close();
    keys = await openKeyVault(folder, manualClock());
    expect(await keys.serviceKey('signing')).toEqual(service);
    expect(await keys.personalKey('anna')).toEqual(anna);
    expect(await keys.personalKey('bert')).toBeNull();
  });

  it('leaves no trace of a destroyed key in any file', async () => {
    const anna = (await keys.personalKey('anna')) ?? new Uint8Array();
    const bert = (await keys.personalKey('bert')) ?? new Uint8Array();
    expect([isOnDisk(anna), isOnDisk(bert)]).toEqual([true, true]);
    await keys.destroyPersonalKey('anna');
    expect([isOnDisk(anna), isOnDisk(bert)]).toEqual([false, true]);
  });

  it('leaves no trace once a backup that reads the keys has ended', async () => {
    const anna = (await keys.personalKey('anna')) ?? new Uint8Array();
    const backup = new DatabaseSync(join(folder, KEYS_FILE), { readOnly: true });
    backup.exec('BEGIN');
    backup.prepare('SELECT count(*) FROM personal_keys').get();
    await keys.destroyPersonalKey('anna');
    expect(isOnDisk(anna)).toBe(true);
    backup.close();
    clock.advance(1_000);
    while (isOnDisk(anna)) await yieldToEventLoop();
  });

  it('can be opened twice, and both vaults return the same key', async () => {
    const second = await openKeyVault(folder, manualClock());
    const [one, other] = await Promise.all([keys.serviceKey('signing'), second.serviceKey('signing')]);
    expect(one).toEqual(other);
    await second.close();
  });

  it('rejects with StoreUnavailable after it is closed, and can be closed twice', async () => {
    await Promise.all([keys.close(), keys.close()]);
    await expect(keys.serviceKey('signing')).rejects.toMatchObject({ name: 'StoreUnavailable' });
  });
});
