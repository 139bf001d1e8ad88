import { createSamplePet, createRandom } from '../../apps/petstore/seeding/sample-pets.js';
import { createLog } from '../../apps/petstore/logging/log.js';
import { openEmbeddedStore, type EmbeddedStoreOptions } from '../../apps/petstore/composition/embedded/embedded.js';
import { SHARED_POOL } from '../../libs/eventsourcing/message.js';

const BATCH = 1_000;

/** The metadata of the events. */
const CONTEXT = { tenant: SHARED_POOL, actor: 'test', correlationId: 'fill', causationId: 'fill' };

/**
 * Creates pets in the data folder of a service that is not running. It appends to the event log directly, which is
 * faster than requests.
 */
export const fillFolder = async (directory: string, pets: number, options: Partial<EmbeddedStoreOptions> = {}): Promise<void> => {
  const opened = await openEmbeddedStore({ directory, log: createLog('warn'), ...options });
  const { store, codec, identities } = opened;
  const random = createRandom(pets);
  const appendPet = async (): Promise<void> => {
    const { id } = identities.of('createPet', { ...CONTEXT, requestId: 'fill' }, null);
    const { details } = createSamplePet(random);
    const listed = { type: 'PetListed', data: { details, status: 'AVAILABLE' } };
    const { encoded } = await codec.encode(`pet-${id}`, { revision: 'none', hash: '' }, [listed], CONTEXT);
    await store.append(`pet-${id}`, 'none', encoded);
  };
  for (let left = pets; left > 0; left -= BATCH) await Promise.all(Array.from({ length: Math.min(BATCH, left) }, appendPet));
  await opened.close();
};
