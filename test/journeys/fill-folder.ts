import { createSamplePet, createRandom } from '../../apps/petstore/seeding/sample-pets.js';
import { createLog } from '../../apps/petstore/logging/log.js';
import { openEmbeddedStore, type SqliteOptions } from '../../apps/petstore/composition/embedded/embedded.js';
import { SHARED_POOL } from '../../libs/eventsourcing/message.js';

const AT_ONCE = 1_000;

/** Who listed the pets, as far as their events know. */
const CONTEXT = { tenant: SHARED_POOL, actor: 'test', correlationId: 'fill', causationId: 'fill' };

/** Lists so many pets in a folder that no store is open on, straight through the codec and the log: fast, and the same events. */
export const fillFolder = async (directory: string, pets: number, options: Partial<SqliteOptions> = {}): Promise<void> => {
  const opened = await openEmbeddedStore({ directory, log: createLog('warn'), ...options });
  const { store, codec, identities } = opened;
  const random = createRandom(pets);
  const list = async (): Promise<void> => {
    const { id } = identities.of('createPet', { ...CONTEXT, requestId: 'fill' }, null);
    const { details } = createSamplePet(random);
    const listed = { type: 'PetListed', data: { details, status: 'AVAILABLE' } };
    const { encoded } = await codec.encode(`pet-${id}`, { revision: 'none', hash: '' }, [listed], CONTEXT);
    await store.append(`pet-${id}`, 'none', encoded);
  };
  for (let left = pets; left > 0; left -= AT_ONCE) await Promise.all(Array.from({ length: Math.min(AT_ONCE, left) }, list));
  await opened.close();
};
