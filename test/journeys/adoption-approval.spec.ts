import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openEmbeddedStore, type EmbeddedStore } from '../../apps/petstore/composition/embedded/embedded.js';
import { createLog } from '../../apps/petstore/logging/log.js';
import {
  ApproveAdoption,
  approveAdoption,
  DeleteAdoption,
  deleteAdoption,
  CreateAdoption,
  createAdoption,
} from '../../libs/application/adoptions/adoption.commands.js';
import { PETS } from '../../libs/application/aggregates.js';
import { commandContext } from '../../libs/application/request.js';
import type { PetId } from '../../libs/domain/ids.js';
import { Aggregates } from '../../libs/eventsourcing/aggregates.js';

const REQUEST = { tenant: 'shared', actor: 'anna', requestId: 'r' };
const APPLICANT = { name: 'Anna', email: 'anna@example.com' };

/** Proves contract 36.5. No domain process runs here, so each step happens when the test runs it. */
describe('an application that is deleted while staff approve it', () => {
  let store: EmbeddedStore;
  let aggregates: Aggregates;
  let petId: PetId;
  beforeEach(async () => {
    store = await openEmbeddedStore({ directory: ':memory:', log: createLog('silent') });
    aggregates = new Aggregates(store.store, store.codec);
    petId = store.ids.next() as PetId;
    const details = { name: 'Rex', species: 'DOG', ageMonths: 3 } as const;
    const list = { type: 'CreatePet', data: { petId, details, status: 'AVAILABLE', number: 1 } } as const;
    await aggregates.handle(PETS, petId, list, commandContext(REQUEST));
  });
  afterEach(() => store.close());

  const apply = async (): Promise<string> => {
    const command = new CreateAdoption({ petId, applicant: APPLICANT, message: 'We have a garden.' }, REQUEST);
    const created = await createAdoption({ ...store, aggregates }, command);
    if (!('id' in created)) throw new Error(created.rejected);
    return created.id;
  };
  const erase = (id: string) => deleteAdoption({ ...store, aggregates }, new DeleteAdoption(id, REQUEST));

  /** Reads the pet anew: `aggregates` does not know what other ones have appended. */
  const stateOfPet = async () => (await new Aggregates(store.store, store.codec).load(PETS, petId)).state;

  /** Returns aggregates that erase the application before a command of that type runs. */
  const erasingBefore = (id: string, type: string): Aggregates => {
    const erasing = new Aggregates(store.store, store.codec);
    const handle: Aggregates['handle'] = async (aggregate, stream, command, ...rest) => {
      if (command.type === type) expect(await erase(id)).toBeNull();
      return new Aggregates(store.store, store.codec).handle(aggregate, stream, command, ...rest);
    };
    erasing.handle = handle;
    return erasing;
  };

  it.each(['AdoptPetByApplication', 'ApproveAdoption'])(
    'is approved without its applicant, if the erasure comes before %s',
    async (type) => {
      const id = await apply();
      const outcome = await approveAdoption({ ...store, aggregates: erasingBefore(id, type) }, new ApproveAdoption(id, REQUEST));
      if (!('json' in outcome)) throw new Error(outcome.rejected);
      expect(JSON.parse(outcome.json)).toEqual({
        ...{ id, petId, status: 'approved' },
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      });
      expect(await stateOfPet()).toMatchObject({ status: 'ADOPTED' });
    },
  );

  it('is not found, and does not get the pet, if it was erased before the approval', async () => {
    const id = await apply();
    await erase(id);
    const outcome = await approveAdoption({ ...store, aggregates }, new ApproveAdoption(id, REQUEST));
    expect(outcome).toEqual({ rejected: 'adoption_not_found' });
    expect(await stateOfPet()).not.toMatchObject({ status: 'ADOPTED' });
  });
});
