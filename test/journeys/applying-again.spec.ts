import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openEmbeddedStore, type EmbeddedStore } from '../../apps/petstore/composition/embedded/embedded.js';
import { createLog } from '../../apps/petstore/logging/log.js';
import { ADOPTIONS, PETS } from '../../libs/application/aggregates.js';
import { WithdrawAdoption, withdrawAdoption, CreateAdoption, createAdoption } from '../../libs/application/adoptions/adoption.commands.js';
import { commandContext } from '../../libs/application/request.js';
import type { PetId } from '../../libs/domain/ids.js';
import { rejected } from '../../libs/eventsourcing/decider.js';
import { Aggregates } from '../../libs/eventsourcing/aggregates.js';

const REQUEST = { tenant: 'shared', actor: 'anna', requestId: 'r' };
const APPLICANT = { name: 'Anna', email: 'anna@example.com' };

const storeWithPet = async (): Promise<{ readonly store: EmbeddedStore; readonly petId: PetId }> => {
  const store = await openEmbeddedStore({ directory: ':memory:', log: createLog('silent') });
  const petId = store.ids.next() as PetId;
  const details = { name: 'Rex', species: 'DOG', ageMonths: 3 } as const;
  const list = { type: 'CreatePet', data: { petId, details, status: 'AVAILABLE', number: 1 } } as const;
  await new Aggregates(store.store, store.codec).handle(PETS, petId, list, commandContext(REQUEST));
  return { store, petId };
};

/** Proves contract 36.3 and contract 9.2. No domain process runs here, because it would reserve the pet after the conflict. */
describe('an application whose pet others change at the same time', () => {
  let store: EmbeddedStore;
  let petId: PetId;
  beforeEach(async () => {
    ({ store, petId } = await storeWithPet());
  });
  afterEach(() => store.close());

  /** Returns a function that applies for the pet. On its first call, the command to the pet is rejected as `contended`. */
  const contendedOnce = (idempotencyKey?: string) => {
    const aggregates = new Aggregates(store.store, store.codec);
    let contended = false;
    const handle: Aggregates['handle'] = async (aggregate, ...rest) => {
      if (aggregate.category !== PETS.category || contended) return new Aggregates(store.store, store.codec).handle(aggregate, ...rest);
      contended = true;
      return rejected('contended');
    };
    aggregates.handle = handle;
    const request = { ...REQUEST, ...(idempotencyKey !== undefined && { idempotencyKey }) };
    return () => createAdoption({ ...store, aggregates }, new CreateAdoption({ petId, applicant: APPLICANT }, request));
  };
  const statusOfPet = async () => (await new Aggregates(store.store, store.codec).load(PETS, petId)).state;

  it('reserves the pet when the same request is repeated with its Idempotency-Key', async () => {
    const apply = contendedOnce('once');
    expect(await apply()).toEqual({ rejected: 'contended' });
    const repeated = await apply();
    expect(repeated).toMatchObject({ replayed: true, json: expect.stringContaining('Anna') as unknown });
    expect(await statusOfPet()).toMatchObject({ status: 'PENDING' });
  });

  it('is rejected without an Idempotency-Key, and a second request makes another application', async () => {
    const apply = contendedOnce();
    expect(await apply()).toEqual({ rejected: 'contended' });
    const next = await apply();
    if (!('id' in next)) throw new Error(next.rejected);
    expect(await statusOfPet()).toMatchObject({ status: 'PENDING' });
    expect((await new Aggregates(store.store, store.codec).load(ADOPTIONS, next.id)).state).toMatchObject({ status: 'submitted' });
  });
});

/** Proves contract 36.3. No domain process runs here, so nothing frees the pet from a withdrawn application. */
describe('a person who applies for a pet with a token', () => {
  let store: EmbeddedStore;
  let aggregates: Aggregates;
  let petId: PetId;
  beforeEach(async () => {
    ({ store, petId } = await storeWithPet());
    aggregates = new Aggregates(store.store, store.codec);
  });
  afterEach(() => store.close());

  const apply = (userId: string) =>
    createAdoption({ ...store, aggregates }, new CreateAdoption({ petId, userId, applicant: APPLICANT }, REQUEST));
  const idOf = async (applying: ReturnType<typeof apply>): Promise<string> => {
    const created = await applying;
    if (!('id' in created)) throw new Error(created.rejected);
    return created.id;
  };

  it('has one open application for it', async () => {
    await idOf(apply('anna'));
    expect(await apply('anna')).toEqual({ rejected: 'already_applied' });
    await idOf(apply('ben'));
  });

  it('may apply again at once after the withdrawal', async () => {
    const first = await idOf(apply('anna'));
    await idOf(apply('ben'));
    await withdrawAdoption({ ...store, aggregates }, new WithdrawAdoption(first, REQUEST));
    await idOf(apply('anna'));
    expect(await apply('anna')).toEqual({ rejected: 'already_applied' });
  });

  it('has one open application of several that are sent at the same time', async () => {
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => apply('anna')));
    expect(outcomes.filter((outcome) => 'id' in outcome)).toHaveLength(1);
    expect(outcomes.filter((outcome) => 'rejected' in outcome && outcome.rejected === 'already_applied')).toHaveLength(7);
  });

  it('may be a program, which applies for many people', async () => {
    await idOf(apply('client:shelter'));
    await idOf(apply('client:shelter'));
  });
});
