import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PETS } from '../../../../libs/application/aggregates.js';
import { commandContext } from '../../../../libs/application/request.js';
import type { PetId } from '../../../../libs/domain/ids.js';
import type { PetEvent } from '../../../../libs/domain/pets/pet.events.js';
import { Aggregates } from '../../../../libs/eventsourcing/aggregates.js';
import { projection, type Projection } from '../../../../libs/eventsourcing/projection.js';
import { yieldToEventLoop } from '../../../../libs/eventsourcing/scheduling/yield-to-event-loop.js';
import { petsProjection } from '../../../../libs/projections/pets.projection.js';
import { createLog } from '../../logging/log.js';
import { openEmbeddedStore, type EmbeddedStore } from './embedded.js';
import type { RebuildOptions } from './embedded-rebuild.js';

const TENANT = '0190f5de-0000-7000-8000-000000000001';
const CONTEXT = commandContext({ tenant: TENANT, actor: 'anna', requestId: 'r' });

/** The events of the pets in these tests. */
type ListedPetEvent = Extract<PetEvent, { type: 'PetListed' | 'PetDetailsRevised' | 'PetStatusSet' }>;

/** A second read model of pets, without a tenant. It ignores changes. */
const petNames = projection<ListedPetEvent, string, Record<string, never>>({
  name: 'pet-names',
  version: 1,
  category: 'pet',
  fields: {},
  indexes: [],
  cells: [],
  amount: () => 1,
  on: {
    PetListed: (_, { details }) => ({ body: details.name, fields: {} }),
    PetDetailsRevised: 'ignore',
    PetStatusSet: 'ignore',
  },
});

const BOTH = [petNames, petsProjection] as unknown as readonly Projection[];

describe('two read models of one category', () => {
  let store: EmbeddedStore;
  let stream: string;

  beforeEach(async () => {
    store = await openEmbeddedStore({ directory: ':memory:', log: createLog('silent'), projections: BOTH });
    const petId = store.ids.next() as PetId;
    stream = `pet-${petId}`;
    const pets = new Aggregates(store.store, store.codec);
    const details = { name: 'Rex', species: 'DOG', ageMonths: 3 } as const;
    await pets.handle(PETS, petId, { type: 'CreatePet', data: { petId, details, status: 'AVAILABLE', number: 1 } }, CONTEXT);
    await pets.handle(PETS, petId, { type: 'UpdatePet', data: { petId, details, status: 'PENDING' } }, CONTEXT);
  });
  afterEach(() => store.close());

  const counts = () => Promise.all(BOTH.map(({ collection }) => store.documents.count(collection, {})));

  it('both delete the document of a stream when a fault of the stream is recorded', async () => {
    expect(await counts()).toEqual([1, 1]);
    store.faults.record({ stream, revision: 1, kind: 'altered', reason: 'altered', tenant: null });
    await store.faults.waitUntilStored();
    // The documents are deleted in the background.
    while ((await counts()).some((count) => count > 0)) await yieldToEventLoop();
    expect(await counts()).toEqual([0, 0]);
  });

  it('have no faults after a rebuild if the gaps and the lost end are no longer in the log', async () => {
    for (const lost of ['log@1', 'log-end@7'])
      store.faults.record({ stream: lost, revision: 0, kind: 'altered', reason: 'missing', tenant: null });
    await store.faults.waitUntilStored();
    expect(await store.rebuild({ acceptAltered: false })).toMatchObject({ faults: [], isInService: true });
    expect(store.faults.all()).toEqual([]);
  });

  it('lack a stream of which a thread finds an alteration during the rebuild', async () => {
    const fault = { stream, revision: 1, kind: 'altered', reason: 'altered', tenant: null } as const;
    const reached: number[] = [];
    const startChains: RebuildOptions['startChains'] = (after, onFault) => ({
      async reached(position) {
        reached.push(after, position);
        onFault(fault);
      },
      stop: async () => void reached.push(-1),
    });
    expect(await store.rebuild({ acceptAltered: true, startChains })).toMatchObject({ faults: [fault], isInService: true });
    expect([reached, await counts()]).toEqual([
      [0, 2, -1],
      [0, 0],
    ]);
    expect(store.faults.of(stream)).toMatchObject(fault);
  });

  it('add the tenant to a fault if one of them stores the tenant of the stream', async () => {
    store.faults.record({ stream, revision: 1, kind: 'altered', reason: 'altered', tenant: null });
    await store.faults.waitUntilStored();
    expect(store.faults.of(stream)?.tenant).toBe(TENANT);
  });

  it('provide the highest revision of a stream', async () => {
    expect(await store.knowledge?.readModelRevision(stream)).toBe(1);
  });
});
