import { describe, expect, it } from '@jest/globals';
import { testKey, type AuditedLog } from '../../../libs/audit/audit.fixtures.js';
import { readCheckpoints } from '../../../libs/audit/checkpoints/checkpoint-log.js';
import { exportLog, signedLog, timeOf } from '../../../libs/audit/export/export.fixtures.js';
import { jwksOf } from '../../../libs/audit/keys/public-keys.js';
import type { SignedCheckpoint } from '../../../libs/domain/checkpoints/checkpoint.events.js';
import { UnusableInput, verifyFiles, type Bytes } from './verify-files.js';

const bytesOf = (text: string | Buffer): Bytes => {
  const bytes = Buffer.from(text);
  return { size: bytes.length, read: (from, to) => bytes.subarray(from, to) };
};

const checkpointsOf = async (log: AuditedLog): Promise<readonly SignedCheckpoint[]> => {
  const all: SignedCheckpoint[] = [];
  for await (const { signed } of readCheckpoints(log)) if (signed) all.push(signed);
  return all;
};

/** A log, an export of a range of it, and what an auditor has kept. */
const openScene = async () => {
  const log = await signedLog();
  const { events, manifest } = await exportLog(log, { from: timeOf(log, 5), to: timeOf(log, 14) });
  const checkpoints = await checkpointsOf(log);
  const keys = JSON.stringify({ keys: jwksOf(log.keys) });
  const copies = checkpoints.map((signed) => JSON.stringify(signed)).join('\n');
  const progress: number[] = [];
  const given = { keys: bytesOf(keys), copies: bytesOf(copies), onProgress: (done: number) => void progress.push(done) };
  return { log, events, manifest, checkpoints, keys, copies, given, progress };
};

const unusable = (work: () => unknown): readonly string[] => {
  try {
    work();
  } catch (error) {
    if (error instanceof UnusableInput) return [error.file, error.message];
    throw error;
  }
  return [];
};

describe('the verification of an export by the files of an auditor', () => {
  it('finds it whole, as one file or as two in any order, and reports its events', async () => {
    const { events, manifest, given, progress, log } = await openScene();
    const whole = verifyFiles({ ...given, files: [bytesOf(events + manifest)] });
    const lines = events.trimEnd().split('\n').length;
    expect(whole).toMatchObject({
      ...{ kind: 'export', faults: [], faultCount: 0, compared: 1, copies: { lines: 3, checkpoints: 3, unreadable: 0 } },
      statement: { store: 'store-1', from: timeOf(log, 5), to: timeOf(log, 14), tenant: null, stream: null, count: lines },
      report: { counts: expect.arrayContaining([{ actor: 'test', type: 'PetRetired', count: expect.any(Number) }]) },
    });
    expect(whole.kind === 'export' && whole.report?.events[0]).toEqual({
      ...{ number: 5, time: timeOf(log, 5), actor: 'test', type: 'PetRetired', stream: 'pet-3', revision: 0 },
    });
    expect(progress.at(-1)).toBe(Buffer.byteLength(events));
    const [one, other] = [bytesOf(events), bytesOf(manifest)];
    for (const files of [
      [one, other],
      [other, one],
    ])
      expect(verifyFiles({ ...given, files })).toEqual(whole);
  });

  it('names the line of a changed byte, and then has no report', async () => {
    const { events, manifest, given } = await openScene();
    const changed = Buffer.from(events + manifest);
    const at = events.indexOf('\n') + 20;
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(verifyFiles({ ...given, files: [bytesOf(changed)] })).toMatchObject({
      faults: expect.arrayContaining([{ place: 'events.ndjson, line 2', reason: expect.any(String) }]),
      report: null,
    });
  });

  it('says that nothing was compared without copies that are of the export', async () => {
    const { events, manifest, given, checkpoints } = await openScene();
    const files = [bytesOf(events + manifest)];
    expect(verifyFiles({ ...given, copies: null, files })).toMatchObject({ faultCount: 0, compared: 0, copies: null });
    const last = bytesOf(JSON.stringify(checkpoints.at(-1)));
    const only = verifyFiles({ ...given, copies: bytesOf(JSON.stringify(checkpoints[0])), files });
    expect([only, verifyFiles({ ...given, copies: last, files })].map((result) => result.compared)).toEqual([0, 1]);
  });

  it('names a key that the copied keys lack, and tells it from other faults', async () => {
    const { events, manifest, given } = await openScene();
    const { keyId } = testKey(1);
    const keys = bytesOf(JSON.stringify({ keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43) }] }));
    const lacking = { ...given, keys, copies: null };
    const files = [bytesOf(events + manifest)];
    expect(verifyFiles({ ...lacking, files })).toMatchObject({ statement: null, missingKeys: [keyId], isOnlyMissingKeys: true });
    expect(verifyFiles({ ...lacking, shown: [{ signature: 'x' }] })).toMatchObject({ missingKeys: [], isOnlyMissingKeys: false });
    expect(verifyFiles({ ...given, files })).toMatchObject({ missingKeys: [], isOnlyMissingKeys: false });
  });

  it('counts an unreadable line of the copies as a fault', async () => {
    const { events, manifest, given, copies } = await openScene();
    const cut = bytesOf(`${copies}\n${copies.slice(0, 100)}`);
    expect(verifyFiles({ ...given, copies: cut, files: [bytesOf(events + manifest)] })).toMatchObject({
      faults: [{ place: 'your copy of the checkpoints, line 4', reason: 'it names a checkpoint and cannot be read' }],
      report: null,
    });
  });

  it('says which file cannot be used, and why', async () => {
    const { events, manifest, given, copies, keys } = await openScene();
    const files = [bytesOf(events + manifest)];
    const reasonOf = (change: object): readonly string[] => unusable(() => verifyFiles({ ...given, files, ...change }));
    expect(reasonOf({ keys: bytesOf(copies) })).toEqual(['keys', expect.stringContaining('expected the output of "audit key"')]);
    expect(reasonOf({ copies: bytesOf(keys) })).toEqual(['copies', expect.stringContaining('no line has a checkpoint')]);
    for (const changed of [[], [bytesOf(events)], [bytesOf(events), bytesOf(events)], [...files, ...files, ...files]])
      expect(reasonOf({ files: changed })).toEqual(['export', expect.any(String)]);
  });
});

describe('the verification of the checkpoints that a service shows', () => {
  it('finds them genuine, and compares the copies', async () => {
    const { given, checkpoints } = await openScene();
    expect(verifyFiles({ ...given, shown: checkpoints })).toMatchObject({
      ...{ kind: 'checkpoints', faults: [], count: 3, compared: 3 },
      last: { index: 2, size: checkpoints[2]?.checkpoint.size },
    });
    expect(verifyFiles({ ...given, copies: null, shown: [] })).toMatchObject({ faults: [], count: 0, compared: 0, last: null });
  });

  it('finds one that is missing, changed, replaced or no checkpoint', async () => {
    const { given, checkpoints, log } = await openScene();
    const placesOf = (shown: readonly unknown[], copies = given.copies): readonly string[] =>
      verifyFiles({ ...given, copies, shown }).faults.map(({ place, reason }) => `${place}: ${reason}`);
    const [first, second, third] = checkpoints;
    expect(placesOf([first, second])).toEqual(['checkpoint 2: the service does not show it, but it is among your copies']);
    expect(placesOf([first, third])).toContain('checkpoint 1: it does not follow the checkpoint before it');
    const changed = { ...second, checkpoint: { ...second?.checkpoint, size: 1 } };
    expect(placesOf([first, changed, third])).toEqual(
      expect.arrayContaining([
        'checkpoint 1: its signature is not valid',
        'checkpoint 1: it differs from the one that was collected elsewhere',
      ]),
    );
    expect(placesOf([first, { signature: 'x' }, third])).toContain('checkpoint 1: it cannot be read');
    // The log was replaced and signed again, with the key of the service.
    const another = await signedLog();
    await another.add('pet-9', 1);
    await another.maker.make();
    const forged = await checkpointsOf(another);
    expect(testKey(1).keyId).toBe(forged[0]?.checkpoint.keyId);
    expect(placesOf(forged, null as never)).toEqual([]);
    await log.add('pet-8', 2);
    await log.maker.make();
    const copies = bytesOf((await checkpointsOf(log)).map((signed) => JSON.stringify(signed)).join('\n'));
    expect(placesOf(forged, copies)).toEqual(['checkpoint 3: it differs from the one that was collected elsewhere']);
  });
});
