import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { testKey, type AuditedLog } from '../../../../libs/audit/audit.fixtures.js';
import { signedLog, timeOf } from '../../../../libs/audit/export/export.fixtures.js';
import { planExport } from '../../../../libs/audit/export/export-plan.js';
import type { ExportScope } from '../../../../libs/audit/export/manifest.js';
import { ExportFolder } from './export-folder.js';
import { writeExport } from './write-export.js';

const EVERYTHING: ExportScope = { from: null, to: null, tenant: null, stream: null };
const folders: string[] = [];
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-export-'));
  folders.push(folder);
  return folder;
};
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

/** Exports in pages of two events, and stores the progress after each page. The read with the number `failing` throws. */
const writeTo = async (path: string, log: AuditedLog, scope: ExportScope, failing = Infinity): Promise<void> => {
  const dependencies = { store: log.store, codec: log.codec, ownKeys: log.keys };
  const folder = ExportFolder.open(path, scope);
  const plan = await planExport(dependencies, scope, folder.unfinished?.cover);
  if (!plan) throw new Error('there is no checkpoint');
  let reads = 0;
  const readAll: typeof log.store.readAll = async (after, limit) => {
    if (++reads === failing) throw new Error('interrupted');
    return log.store.readAll(after, limit);
  };
  const rest = { key: testKey(1), onProgress: () => undefined, page: 2, pagesBetweenSaves: 1 };
  await writeExport({ log: { store: { ...log.store, readAll } }, plan, folder, ...rest });
};

const digestsOf = (path: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(path).map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(path, name)))
        .digest('hex'),
    ]),
  );

describe('an export in a folder (contract 35.5)', () => {
  it('can be read only by its owner', async () => {
    const path = join(newFolder(), 'export');
    await writeTo(path, await signedLog(), EVERYTHING);
    const modes = [path, ...readdirSync(path).map((name) => join(path, name))].map((each) => statSync(each).mode & 0o777);
    expect(modes).toEqual([0o700, 0o600, 0o600]);
  });

  it.each<Partial<ExportScope>>([{}, { tenant: 'tenant-b' }, { stream: 'pet-1' }])(
    'of %j has the same bytes after an interruption at any read',
    async (only) => {
      const log = await signedLog();
      const scope = { ...EVERYTHING, from: timeOf(log, 5), to: timeOf(log, 14), ...only };
      const whole = newFolder();
      await writeTo(whole, log, scope);
      const expected = digestsOf(whole);
      expect(Object.keys(expected).sort()).toEqual(['events.ndjson', 'manifest.json']);
      for (let failing = 1, hasFailed = true; hasFailed; failing++) {
        const path = newFolder();
        hasFailed = await writeTo(path, log, scope, failing).then(
          () => false,
          () => true,
        );
        if (hasFailed && readdirSync(path).length > 0) {
          // An interruption may also leave lines that the stored progress does not include, and an incomplete last line.
          writeFileSync(join(path, 'events.ndjson'), '{"data":{}}\n{"da', { flag: 'a' });
          writeFileSync(join(path, 'progress.json.new'), '{');
        }
        if (hasFailed) await writeTo(path, log, scope);
        rmSync(join(path, 'progress.json.new'), { force: true });
        expect(digestsOf(path)).toEqual(expected);
      }
    },
  );

  it('that has no end time and is continued later still ends at its first checkpoint', async () => {
    const log = await signedLog();
    const [whole, path] = [newFolder(), newFolder()];
    await writeTo(whole, log, EVERYTHING);
    await expect(writeTo(path, log, EVERYTHING, 4)).rejects.toThrow('interrupted');
    expect(ExportFolder.open(path, EVERYTHING).unfinished?.state?.size).toBe(6);
    await log.add('pet-1', 3);
    await log.maker.make();
    await writeTo(path, log, EVERYTHING);
    expect(digestsOf(path)).toEqual(digestsOf(whole));
  });

  it('does not overwrite another export or other files', async () => {
    const log = await signedLog();
    const path = newFolder();
    await expect(writeTo(path, log, EVERYTHING, 4)).rejects.toThrow('interrupted');
    await expect(writeTo(path, log, { ...EVERYTHING, stream: 'pet-1' })).rejects.toThrow('has an unfinished export with no options');
    await writeTo(path, log, EVERYTHING);
    await expect(writeTo(path, log, EVERYTHING)).rejects.toThrow('has an export already');
    const other = newFolder();
    writeFileSync(join(other, 'file'), '');
    await expect(writeTo(other, log, EVERYTHING)).rejects.toThrow('is not empty');
    await expect(writeTo(join(other, 'file'), log, EVERYTHING)).rejects.toThrow('is not a folder');
  });
});
