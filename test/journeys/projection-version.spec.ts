import { afterEach, describe, expect, it } from '@jest/globals';
import type { Projection } from '../../libs/eventsourcing/projection.js';
import { projections } from '../../libs/projections/projections.js';
import { eventually } from '../eventually.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { snapshotOf, tablesIn } from '../servers/snapshot.js';
import { fillFolder } from './fill-folder.js';
import { openOwnStore, type OwnStore } from './own-process.js';
import { differencesFromReplay } from './replay.js';

/** Enough that filling takes many batches. */
const PETS = 20_000;

let open: OwnStore | undefined;

afterEach(async () => {
  await open?.stop();
  open = undefined;
  removeFolders();
});

/** The read models as an earlier release had them. */
const earlier = (): readonly Projection[] =>
  projections.map((projection) => ({ ...projection, version: 0, collection: { ...projection.collection, version: 0 } }));

describe('a new version of a read model', () => {
  it('fills in the background while the old one answers, then takes its place', async () => {
    const dataDir = newFolder();
    await fillFolder(dataDir, PETS, { projections: earlier() });
    expect(tablesIn(dataDir)).toContain('pets_v0');

    open = await openOwnStore(dataDir);
    const { call, store } = open;
    const isFilling = async (): Promise<boolean> => (await store.documents.checkpoint('pets_v1')) < store.embedded.head();
    const listPath = '/v1/pets?limit=1';
    const total = async (): Promise<number> => {
      const { status, json } = await call('GET', listPath);
      return status === 200 ? (json['pagination'] as { totalItems: number }).totalItems : status;
    };
    const [first] = (await call('GET', listPath)).json['data'] as readonly { id: string }[];
    // A write while it fills is seen by whoever reads next, whichever version answers.
    const created = await call('POST', '/v1/pets', { body: { name: 'Meanwhile', species: 'DOG', ageMonths: 1 } });
    expect(created.status).toBe(201);
    const seen: string[] = [];
    let whileFilling = 0;
    const filledBehind = await eventually(
      'the new version to be in service and the old one gone',
      async () => {
        const answers = [
          await total(),
          (await call('GET', `/v1/pets/${first?.id}`)).status,
          (await call('GET', `/v1/pets/${String(created.json['id'])}`)).status,
        ];
        seen.push(answers.join(' '));
        if (await isFilling()) whileFilling++;
        return !tablesIn(dataDir).some((name) => /_v0(_cells)?$/.test(name));
      },
      20_000,
    );
    expect(filledBehind).toBe(true);
    // Not once was there less to read than there is.
    expect([...new Set(seen)]).toEqual([`${PETS + 1} 200 200`]);
    expect(whileFilling).toBeGreaterThan(0);
    expect(differencesFromReplay(snapshotOf(dataDir))).toEqual([]);
  }, 60_000);
});
