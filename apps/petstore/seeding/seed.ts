import { createSamplePet, createRandom, type SamplePet } from './sample-pets.js';
import type { ServiceClient } from '../client/service-client.js';
import type { Progress } from '../terminal/progress.js';

/** Number of concurrent requests: enough that many of them share one commit, and few enough not to delay other clients. */
const CONCURRENT_REQUESTS = 64;

/** Adds one pet to the service. */
export type AddPet = (pet: SamplePet) => Promise<void>;

/** Adds `count` sample pets. The same `seed` adds the same pets. */
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
  await Promise.all(Array.from({ length: Math.min(CONCURRENT_REQUESTS, count) }, worker));
  progress.done(added);
};

/** Returns a function that adds a pet to a running service over HTTP. */
export const addOverHttp =
  (service: ServiceClient): AddPet =>
  async ({ details, status }) =>
    void (await service.request('POST', '/v1/pets', { ...details, status }));
