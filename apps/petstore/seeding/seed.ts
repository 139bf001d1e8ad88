import type { ServiceClient } from '../client/service-client.js';
import type { Progress } from '../terminal/progress.js';
import { createSamplePet, createRandom, type SamplePet } from './sample-pets.js';

/** Number of concurrent requests: enough that many of them share one commit, and few enough not to delay other clients. */
const CONCURRENT_REQUESTS = 64;
/** Number of concurrent uploads. A service processes one image at a time (contract 37.2). */
const CONCURRENT_UPLOADS = 4;

/** The store that sample pets are added to. */
export type SeededStore = {
  /** Adds a pet. Returns its id. */
  addPet(pet: SamplePet): Promise<string>;
  /** Adds an image, a PNG file, to a pet. */
  addPicture(petId: string, file: Uint8Array): Promise<void>;
};

/**
 * The numbers of pets and of pictures that are added, and their progress. The first pets get the pictures. `draw` makes a PNG
 * file of a pet.
 */
export type Seeding = {
  readonly pets: number;
  readonly pictures: number;
  readonly seed: number;
  readonly draw: (pet: SamplePet) => Promise<Uint8Array>;
  readonly progress: (total: number, unit: string) => Progress;
};

/** Adds sample pets with pictures. The same `seed` adds the same ones. */
export const seedPets = async (store: SeededStore, { pets, pictures, seed, draw, progress }: Seeding): Promise<void> => {
  const pictured: { readonly id: string; readonly pet: SamplePet }[] = [];
  await inParallel(samplePets(pets, seed), CONCURRENT_REQUESTS, progress(pets, 'pets'), async (pet, nth) => {
    const id = await store.addPet(pet);
    if (nth < pictures) pictured[nth] = { id, pet };
  });
  if (pictured.length === 0) return;
  await inParallel(pictured, CONCURRENT_UPLOADS, progress(pictured.length, 'pictures'), async ({ id, pet }) =>
    store.addPicture(id, await draw(pet)),
  );
};

function* samplePets(count: number, seed: number): Generator<SamplePet> {
  const random = createRandom(seed);
  for (let nth = 0; nth < count; nth++) yield createSamplePet(random);
}

/** Calls `work` for each item, several at a time. */
const inParallel = async <T>(
  items: Iterable<T>,
  concurrency: number,
  progress: Progress,
  work: (item: T, nth: number) => Promise<void>,
): Promise<void> => {
  const left = Iterator.from(items);
  let [started, done] = [0, 0];
  const worker = async (): Promise<void> => {
    for (let next = left.next(); next.done !== true; next = left.next()) {
      await work(next.value, started++);
      progress.at(++done);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  progress.done(done);
};

/** The store of a running service, over HTTP. */
export const storeOverHttp = (service: ServiceClient): SeededStore => ({
  async addPet({ details, status }) {
    const { json } = await service.request<{ readonly id: string }>('POST', '/v1/pets', { ...details, status });
    return json.id;
  },
  async addPicture(petId, file) {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(file)], { type: 'image/png' }), 'picture.png');
    await service.request('POST', `/v1/pets/${petId}/images`, form);
  },
});
