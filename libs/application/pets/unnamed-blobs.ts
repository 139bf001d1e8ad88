import { petStream } from '../../domain/ids.js';
import { imageOfBlob } from '../../domain/pets/pet-image.js';
import type { PetEvent } from '../../domain/pets/pet.events.js';
import { BrokenHistory } from '../../eventsourcing/history.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Blobs } from '../../ports/blobs.port.js';
import { eventOf } from '../../runtime/codec/codec.js';
import { readHistory, type VerifiedLog } from '../../runtime/codec/verified-history.js';
import { repeat } from '../../runtime/following/repeat.js';

/**
 * An hour in milliseconds, which is longer than any upload takes. If no event names a blob after an hour, its upload was
 * interrupted.
 */
const MIN_AGE = 3_600_000;
/** Milliseconds from the start to the first run, and between two runs. */
const FIRST_RUN = 60_000;
const INTERVAL = 3_600_000;

export type UnnamedBlobsPorts = VerifiedLog & {
  readonly clock: Clock;
  readonly blobs: Blobs;
  readonly onError: (error: unknown) => void;
};

/**
 * Every hour, removes the blobs that are an hour old and that no event names (contract 37.8). This process checks each blob
 * only once. Returns a function that stops the runs and waits for the current one.
 */
export const startRemovingUnnamedBlobs = (ports: UnnamedBlobsPorts): (() => Promise<void>) => {
  const { clock, onError } = ports;
  let checkedUpTo = new Date(0);
  const work = async (): Promise<number> => {
    const before = new Date(clock.now().getTime() - MIN_AGE);
    // After the clock was set back, blobs from before `checkedUpTo` are added again.
    await removeUnnamed(ports, before < checkedUpTo ? new Date(0) : checkedUpTo, before);
    checkedUpTo = before;
    return INTERVAL;
  };
  return repeat({ clock, firstDelay: FIRST_RUN, work, failureDelay: INTERVAL, onError });
};

const removeUnnamed = async (ports: UnnamedBlobsPorts, from: Date, before: Date): Promise<void> => {
  const { blobs } = ports;
  await blobs.removeUnfinished(before);
  for await (const { name, storedAt } of blobs.list())
    if (storedAt >= from && storedAt < before && !(await isNamed(ports, name))) await blobs.remove(name, before);
};

/** Returns whether a pet has the image of a blob. True if the blob is not an image, or if the pet's events cannot be read. */
const isNamed = async (ports: UnnamedBlobsPorts, name: string): Promise<boolean> => {
  const image = imageOfBlob(name);
  if (!image) return true;
  try {
    const events = (await readHistory(ports, petStream(image.petId))).map((event) => eventOf<PetEvent>(event));
    const ofImage = events.filter(({ data }) => 'imageId' in data && data.imageId === image.imageId && data.digest === image.digest);
    return ofImage.at(-1)?.type === 'PetPhotoAdded';
  } catch (error) {
    if (!(error instanceof BrokenHistory)) throw error;
    ports.onError(new Error(`the events of pet ${image.petId} cannot be read; its images stay`, { cause: error }));
    return true;
  }
};
