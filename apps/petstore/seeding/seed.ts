import { createSamplePet, createRandom, type SamplePet } from './sample-pets.js';
import type { StoreClient } from '../client/store-client.js';
import type { Progress } from '../terminal/progress.js';

/** Enough in flight to share commits, few enough to be kind to a server that has other guests. */
const IN_FLIGHT = 64;

/** Adds one pet to the store; rejects when it could not. */
export type AddPet = (pet: SamplePet) => Promise<void>;

/** Adds `count` believable pets, the same ones for the same `seed`. */
export const seedPets = async (count: number, seed: number, add: AddPet, progress: Progress): Promise<void> => {
  const random = createRandom(seed);
  let started = 0;
  let added = 0;
  const worker = async (): Promise<void> => {
    while (started < count) {
      started++;
      await add(createSamplePet(random));
      progress.at(++added);
    }
  };
  await Promise.all(Array.from({ length: Math.min(IN_FLIGHT, count) }, worker));
  progress.done(added);
};

/** Adds pets to a running store over HTTP. */
export const addOverHttp =
  (store: StoreClient): AddPet =>
  async ({ details, status }) =>
    void (await store.request('POST', '/v1/pets', { ...details, status }));
