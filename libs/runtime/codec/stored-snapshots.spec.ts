import { describe, expect, it } from '@jest/globals';
import type { Documents, StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import { storedSnapshots } from './stored-snapshots.js';

const SNAPSHOT = { revision: 99, hash: 'h', version: '1.2', fold: '{"state":{"count":100},"shown":null}' };
const KEY = new Uint8Array(32);

/** Documents in memory, with the one collection of snapshots. `isDown` makes every call fail. */
const given = () => {
  const stored = new Map<string, StoredDocument>();
  const server = { isDown: false };
  const answer = async <T>(value: () => T): Promise<T> => {
    if (server.isDown) throw new Error('the database is down');
    return value();
  };
  const documents = {
    prepare: () => answer(() => undefined),
    get: (_: unknown, key: string) => answer(() => stored.get(key) ?? null),
    apply: (writes: Parameters<Documents['apply']>[0]) =>
      answer(() => {
        for (const write of writes) if (write.kind === 'put') stored.set(write.document.key, write.document);
        return true;
      }),
  } as unknown as Documents;
  return { stored, server, documents, snapshots: storedSnapshots(documents, KEY) };
};

/** Writes a snapshot, and waits until it is stored. */
const written = async ({ snapshots, stored }: ReturnType<typeof given>): Promise<void> => {
  snapshots.write('pet-1', SNAPSHOT);
  while (!stored.has('pet-1')) await Promise.resolve();
};

describe('the snapshots of streams', () => {
  it('are read as they were written', async () => {
    const scene = given();
    await written(scene);
    expect([await scene.snapshots.read('pet-1'), await scene.snapshots.read('pet-2')]).toEqual([SNAPSHOT, null]);
  });

  it.each<[string, (document: StoredDocument) => StoredDocument]>([
    ['another fold', (document) => ({ ...document, json: document.json.replace('100', '999') })],
    ['another revision', (document) => ({ ...document, revision: 98 })],
    ['no JSON', (document) => ({ ...document, json: '{' })],
    ['no seal', (document) => ({ ...document, json: JSON.stringify({ ...SNAPSHOT, seal: '' }) })],
  ])('are not used with %s', async (_, damaged) => {
    const scene = given();
    await written(scene);
    scene.stored.set('pet-1', damaged(scene.stored.get('pet-1') as StoredDocument));
    expect(await scene.snapshots.read('pet-1')).toBeNull();
  });

  it('are not used for another stream, nor with another key', async () => {
    const scene = given();
    await written(scene);
    scene.stored.set('pet-2', { ...(scene.stored.get('pet-1') as StoredDocument), key: 'pet-2' });
    expect(await scene.snapshots.read('pet-2')).toBeNull();
    expect(await storedSnapshots(scene.documents, new Uint8Array(32).fill(1)).read('pet-1')).toBeNull();
  });

  it('are null while the database is down, and a write that fails does no harm', async () => {
    const scene = given();
    scene.server.isDown = true;
    scene.snapshots.write('pet-1', SNAPSHOT);
    expect(await scene.snapshots.read('pet-1')).toBeNull();
    scene.server.isDown = false;
    await written(scene);
    expect(await scene.snapshots.read('pet-1')).toEqual(SNAPSHOT);
  });
});
