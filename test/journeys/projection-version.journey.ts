import { afterEach, describe, expect, it } from '@jest/globals';
import { createLog } from '../../apps/petstore/logging/log.js';
import { openEmbeddedStore } from '../../apps/petstore/composition/embedded/embedded.js';
import { PETS as PETS_AGGREGATE } from '../../libs/application/aggregates.js';
import type { PetId } from '../../libs/domain/ids.js';
import { Aggregates } from '../../libs/eventsourcing/aggregates.js';
import { aggregateIdOf, SHARED_POOL } from '../../libs/eventsourcing/message.js';
import { checkpointOf } from '../../libs/eventsourcing/ports/documents.port.js';
import type { Projection } from '../../libs/eventsourcing/projection.js';
import { petsProjection } from '../../libs/projections/pets.projection.js';
import { projections } from '../../libs/projections/projections.js';
import { eventually } from '../eventually.js';
import { expectInvariant } from '../expect-invariant.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { snapshotOf, tablesIn } from '../servers/snapshot.js';
import { fillFolder } from './fill-folder.js';
import { openInProcessStore, type InProcessPetstore } from './in-process-petstore.js';
import { differencesFromReplay } from './replay.js';

type VersionJourney = {
  /** The number of pets. A rebuild of some thousand takes many batches. */
  readonly pets: number;
  /** Whether the rebuild must take so long that reads come during it. */
  readonly mustOverlap: boolean;
};

/** Returns all projections with the version 0, as if an earlier release had declared them. */
const earlierProjections = (): readonly Projection[] =>
  projections.map((projection) => ({ ...projection, version: 0, collection: { ...projection.collection, version: 0 } }));

/** Changes the oldest pet, so that its two events are many batches apart. Returns its id. */
const changeOldest = async (directory: string): Promise<string> => {
  const opened = await openEmbeddedStore({ directory, log: createLog('warn'), projections: earlierProjections() });
  const [first] = await opened.store.readAll(0, 1);
  const id = aggregateIdOf(first?.stream ?? '') as PetId;
  const command = {
    type: 'UpdatePet',
    data: { petId: id, details: { name: 'Changed long after', species: 'CAT', ageMonths: 9 }, status: 'AVAILABLE' },
  } as const;
  const context = { tenant: SHARED_POOL, actor: 'test', correlationId: 'change', causationId: 'change' };
  expect(await new Aggregates(opened.store, opened.codec).handle(PETS_AGGREGATE, id, command, context)).toMatchObject({ events: [{}] });
  await opened.close();
  return id;
};

/** Tests a store that has an older version of each read model. Proves contract 24.3. */
export const projectionVersionJourney = ({ pets, mustOverlap }: VersionJourney): void => {
  describe('a new version of a read model', () => {
    let open: InProcessPetstore | undefined;
    afterEach(async () => {
      await open?.stop();
      removeFolders();
    });

    it('is built in the background while the old version answers, and then replaces it', async () => {
      const dataDir = newFolder();
      await fillFolder(dataDir, pets, { projections: earlierProjections() });
      expect(tablesIn(dataDir)).toContain('pets_v0');
      const changed = await changeOldest(dataDir);

      open = await openInProcessStore(dataDir);
      const { call, store } = open;
      const isRebuilding = async (): Promise<boolean> => (await store.documents.checkpoint(checkpointOf(petsProjection))) < store.head();
      const listPath = '/v1/pets?limit=1';
      const total = async (): Promise<number> => {
        const { status, json } = await call('GET', listPath);
        return status === 200 ? (json['pagination'] as { totalItems: number }).totalItems : status;
      };
      const [first] = (await call('GET', listPath)).json['data'] as readonly { id: string }[];
      // This pet is created during the rebuild. Every later read must find it, in the old version and in the new one.
      const created = await call('POST', '/v1/pets', { body: { name: 'Meanwhile', species: 'DOG', ageMonths: 1 } });
      expect(created.status).toBe(201);
      const seen: string[] = [];
      let readsDuringRebuild = 0;
      const isReplaced = await eventually('the new version to be live and the old one to be deleted', async () => {
        const answers = [
          await total(),
          (await call('GET', `/v1/pets/${first?.id}`)).status,
          (await call('GET', `/v1/pets/${String(created.json['id'])}`)).status,
        ];
        seen.push(answers.join(' '));
        if (await isRebuilding()) readsDuringRebuild++;
        return !tablesIn(dataDir).some((name) => /_v0(_cells)?$/.test(name));
      });
      expect(isReplaced).toBe(true);
      // Every read during the rebuild was complete.
      expect([...new Set(seen)]).toEqual([`${pets + 1} 200 200`]);
      if (mustOverlap) expect(readsDuringRebuild).toBeGreaterThan(0);
      expectInvariant('the read models equal a replay', differencesFromReplay(snapshotOf(dataDir)));
      expect((await call('GET', `/v1/pets/${changed}`)).json['name']).toBe('Changed long after');
    });
  });
};
