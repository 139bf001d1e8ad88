import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { SignedCheckpoint } from '../../libs/domain/checkpoints/checkpoint.events.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { runPetstore, startServiceProcess } from '../servers/process.js';
import { endPrograms, type ProgramResult } from '../servers/program.js';
import { REJECTED } from './command-fixture.js';

/** The exit code of a command that has found an altered history. */
const ALTERED = 3;

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

/** Runs the commands that docs/audit.md shows. */
const auditor = (dataDir: string, env: Readonly<Record<string, string>> = {}) => {
  const copies = newFolder();
  const run = (...args: readonly string[]): Promise<ProgramResult> => runPetstore(['audit', ...args], { dataDir, env });
  const paths = { keys: join(copies, 'keys.json'), checkpoints: join(copies, 'checkpoints.ndjson') };
  return {
    run,
    keepCopies: async (): Promise<void> => {
      writeFileSync(paths.keys, (await run('key')).stdout);
      writeFileSync(paths.checkpoints, (await run('checkpoints')).stdout);
    },
    verify: (): Promise<ProgramResult> => run('verify', '--key', paths.keys, '--against', paths.checkpoints),
  };
};

const alter = (dataDir: string, sql: string): void => {
  const database = new DatabaseSync(join(dataDir, 'petstore.sqlite'));
  database.exec(sql);
  database.close();
};

/** Proves contract 35.1 to 35.4 with real processes. */
describe('petstore audit', () => {
  it('verifies a log while its service runs and after its stop, which signs the last events', async () => {
    const dataDir = newFolder();
    await runPetstore(['seed', '--pets', '5', '--pictures', '0'], { dataDir });
    const { run, keepCopies, verify } = auditor(dataDir);
    const service = await startServiceProcess({ dataDir });
    const made = JSON.parse((await run('checkpoint')).stdout) as SignedCheckpoint;
    // Six events: five pets, and one reservation of their integer ids.
    expect(made.checkpoint).toMatchObject({ index: 0, size: 6, previous: '' });
    await keepCopies();
    expect(await verify()).toMatchObject({ code: 0, stdout: expect.stringContaining('It matches 1 checkpoint from --against.') });
    await service.stop();
    expect(JSON.parse((await run('verify', '--json', '--from', '6')).stdout)).toMatchObject({ from: 6, faults: [] });
    expect((await run('verify', '--from', '-1')).code).toBe(REJECTED);
    expect(await verify()).toMatchObject({ code: 0, stdout: expect.stringContaining('Not covered by a checkpoint yet: 0 events.') });
  });

  it('verifies checkpoints of former keys after a rotation, and lists these keys', async () => {
    const dataDir = newFolder();
    await runPetstore(['seed', '--pets', '5', '--pictures', '0'], { dataDir });
    const { run, keepCopies, verify } = auditor(dataDir);
    const first = JSON.parse((await run('checkpoint')).stdout) as SignedCheckpoint;
    const rotated = await runPetstore(['keys', 'rotate', '--kind', 'checkpoint-signing'], { dataDir });
    expect(rotated).toMatchObject({ code: 0, stdout: expect.stringContaining('Keep a new copy of the public keys') });
    const second = JSON.parse((await run('checkpoint')).stdout) as SignedCheckpoint;
    const { keys } = JSON.parse((await run('key')).stdout) as { readonly keys: readonly { readonly kid: string }[] };
    expect(keys.map(({ kid }) => kid)).toEqual([second, first].map(({ checkpoint }) => checkpoint.keyId));
    await keepCopies();
    expect(await verify()).toMatchObject({ code: 0, stdout: expect.stringContaining('It matches 2 checkpoints from --against.') });
  });

  it('refuses to rotate a key in SIGNING_KEY_FILE, and says what to do instead', async () => {
    const dataDir = newFolder();
    await runPetstore(['seed', '--pets', '1', '--pictures', '0'], { dataDir });
    const file = join(newFolder(), 'signing.pem');
    writeFileSync(file, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const env = { SIGNING_KEY_FILE: file };
    const rotated = await runPetstore(['keys', 'rotate', '--kind', 'checkpoint-signing'], { dataDir, env });
    expect(rotated).toMatchObject({ code: REJECTED, stderr: expect.stringContaining('Put a new key before the others in that file') });
  });

  it('finds an altered event, and a cut tail with the copies of an auditor', async () => {
    const dataDir = newFolder();
    await runPetstore(['seed', '--pets', '5', '--pictures', '0'], { dataDir });
    const { run, keepCopies, verify } = auditor(dataDir);
    await run('checkpoint');
    await keepCopies();
    alter(dataDir, 'UPDATE events SET data = replace(data, \'"name":"\', \'"name":"X\') WHERE position = 2');
    expect(await verify()).toMatchObject({
      code: ALTERED,
      stderr: expect.stringMatching(/altered: pet-.*, revision 0: .*does not match its hash/),
    });
    alter(dataDir, 'DELETE FROM events WHERE position > 1');
    const { code, stdout } = await run('verify', '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([
      ALTERED,
      { events: 1, faults: expect.arrayContaining([expect.objectContaining({ kind: 'missing' })]) },
    ]);
    expect(await verify()).toMatchObject({ code: ALTERED, stderr: expect.stringContaining('missing: events 2 to 6 of the log') });
  });

  it('signs with the key of SIGNING_KEY_FILE, and rejects a file without an Ed25519 key', async () => {
    const dataDir = newFolder();
    await runPetstore(['seed', '--pets', '1', '--pictures', '0'], { dataDir });
    const file = join(newFolder(), 'key.pem');
    writeFileSync(file, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const withFile = auditor(dataDir, { SIGNING_KEY_FILE: file });
    const made = JSON.parse((await withFile.run('checkpoint')).stdout) as SignedCheckpoint;
    const { keys } = JSON.parse((await withFile.run('key')).stdout) as { readonly keys: readonly { readonly kid: string }[] };
    expect(keys[0]?.kid).toBe(made.checkpoint.keyId);
    expect((await withFile.run('verify')).code).toBe(0);
    // Without SIGNING_KEY_FILE, the command does not know the key in the file.
    expect((await auditor(dataDir).run('verify')).stderr).toContain('is not among the known public keys');
    writeFileSync(file, 'no key');
    expect(await withFile.run('checkpoint')).toMatchObject({ code: REJECTED, stderr: expect.stringContaining('openssl genpkey') });
  });

  it('says what is wrong with the copies of an auditor', async () => {
    const dataDir = newFolder();
    await runPetstore(['seed', '--pets', '1', '--pictures', '0'], { dataDir });
    const { run } = auditor(dataDir);
    const file = join(newFolder(), 'file');
    expect(await run('verify', '--key', file)).toMatchObject({ code: REJECTED, stderr: expect.stringContaining('--key') });
    writeFileSync(file, 'text');
    expect((await run('verify', '--key', file)).stderr).toContain('expected the output of "audit key"');
    expect((await run('verify', '--against', file)).stderr).toContain('no line has a checkpoint');
    const made = JSON.parse((await run('checkpoint')).stdout) as SignedCheckpoint;
    writeFileSync(file, JSON.stringify({ ...made, checkpoint: { ...made.checkpoint, size: 9 } }));
    expect((await run('verify', '--against', file)).stderr).toContain('its signature is not valid');
    // Windows PowerShell redirects output as UTF-16 with a byte order mark.
    writeFileSync(file, `\uFEFF${(await run('key')).stdout}`, 'utf16le');
    const copy = join(newFolder(), 'copy');
    writeFileSync(copy, `\uFEFFworker-1  | ${JSON.stringify(made)}\n{"msg":"other"}\n`);
    expect(await run('verify', '--key', file, '--against', copy)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Of --against: 2 lines read and 0 unreadable.'),
    });
    await runPetstore(['seed', '--pets', '1', '--pictures', '0', '--force'], { dataDir });
    const later = JSON.parse((await run('checkpoint')).stdout) as SignedCheckpoint;
    expect(await run('verify', '--against', copy, '--from', `${later.checkpoint.size}`)).toMatchObject({
      code: REJECTED,
      stderr: expect.stringContaining('nothing was compared'),
    });
    writeFileSync(copy, `${JSON.stringify(made)}\n${JSON.stringify(later).slice(0, 90)}\n`);
    expect(await run('verify', '--against', copy)).toMatchObject({
      code: ALTERED,
      stderr: expect.stringMatching(/copy: .*copy, line 2: it names a checkpoint and cannot be read\n/),
    });
  });
});
