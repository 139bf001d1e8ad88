import { randomUUID } from 'node:crypto';
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { yieldToEventLoop } from '../../libs/eventsourcing/scheduling/yield-to-event-loop.js';
import { eventually } from '../eventually.js';
import { fileUpload, noisyImage } from '../http/image-files.js';
import { printLine } from '../print-line.js';
import type { JsonResponse } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { tokenFor } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';
import { startClients, type Load } from './clients-load.js';
import { openInProcessStore, type InProcessPetstore } from './in-process-petstore.js';
import { callerOf, killInRounds, startKilledService } from './kills.js';
import { Ledger } from './ledger.js';

const ROUNDS = 10;
const UPLOADS = 6;
const SEED = 20_260_107;
const HOUR = 3_600_000;

let open: InProcessPetstore | undefined;
afterEach(async () => {
  await open?.stop();
  open = undefined;
  await endPrograms();
  removeFolders();
});

type Upload = { readonly petId: string; readonly options: ReturnType<typeof fileUpload> & { readonly idempotencyKey: string } };

/** Returns the paths of all image files in a data folder, including incomplete ones. */
const filesIn = (dataDir: string): readonly string[] => {
  try {
    return readdirSync(join(dataDir, 'images'), { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
    );
  } catch {
    return [];
  }
};

/** Proves contract 37.7, contract 37.8 and contract 37.9. */
describe('a service that is killed while images are uploaded', () => {
  it('has no photo without bytes, and removes the bytes that no event names', async () => {
    const dataDir = newFolder();
    const clock = manualClock(new Date().toISOString());
    open = await openInProcessStore(dataDir, { clock });
    const petIds: string[] = [];
    for (let pet = 0; pet < ROUNDS; pet++)
      petIds.push(String((await open.call('POST', '/v1/pets', { body: { name: 'Posey', species: 'CAT', ageMonths: 3 } })).json['id']));
    await open.stop();
    const rounds: Upload[][] = [];
    for (const petId of petIds) {
      const files = await Promise.all(Array.from({ length: UPLOADS }, () => noisyImage('jpeg', 300, 300)));
      rounds.push(files.map((file) => ({ petId, options: { ...fileUpload(file), idempotencyKey: randomUUID() } })));
    }
    const killed = await startKilledService(dataDir);
    const callKilled = callerOf(killed, await tokenFor(dataDir));
    const sent = new Ledger<Upload, JsonResponse>(({ status }) => status === 201);
    let load: Load;
    await killInRounds(
      killed,
      {
        async start(_, round) {
          const send = ({ petId, options }: Upload) => callKilled('POST', `/v1/pets/${petId}/images`, options);
          const uploads = rounds[round - 1] ?? [];
          load = startClients(uploads.map((upload) => async () => ((await sent.send(upload, send)) ? 'last' : 'no answer')));
          return load;
        },
        // In every other round as soon as some files exist that did not exist before, in the others after some answers.
        async moment(_, round) {
          const count = 1 + ((round - 1) % (UPLOADS - 1));
          if (round % 2 === 0) return load.after(count, 'answered');
          const before = filesIn(dataDir).length;
          let isOver = false;
          void load.finished.then(() => (isOver = true));
          while (!isOver && filesIn(dataDir).length < before + count) await yieldToEventLoop();
        },
      },
      { rounds: ROUNDS, seed: SEED },
    );
    await killed.process().stop();
    const acknowledged = sent.acknowledged();

    open = await openInProcessStore(dataDir, { clock });
    const { call } = open;
    const shownPhotos = async (): Promise<readonly string[]> => {
      const pets = await Promise.all(petIds.map((id) => call('GET', `/v1/pets/${id}`)));
      return pets.flatMap(({ json }) => (json['photos'] ?? []) as string[]);
    };
    const statusesOf = async (photos: readonly string[]): Promise<readonly number[]> =>
      Promise.all(photos.map(async (photo) => (await call('GET', new URL(photo).pathname)).status));
    const photos = await shownPhotos();
    expect(await statusesOf(photos)).toEqual(photos.map(() => 200));
    const unnamed = filesIn(dataDir).length - photos.length;
    printLine(
      `${ROUNDS} kills: ${acknowledged.length} uploads were answered, ${photos.length} are recorded, ${unnamed} files have no event`,
    );
    expect(photos.length).toBeGreaterThanOrEqual(acknowledged.length);
    expect(acknowledged.length).toBeGreaterThan(0);
    // Some kills must come after the bytes of an image are stored and before its event is appended.
    expect(unnamed).toBeGreaterThan(0);

    for (const file of filesIn(dataDir)) utimesSync(file, new Date(), new Date(clock.now().getTime() - 2 * HOUR));
    clock.advance(61_000);
    await eventually('only the named files to be left', () => filesIn(dataDir).length === photos.length);
    expect(await statusesOf(photos)).toEqual(photos.map(() => 200));

    // A repeated upload stores the image if its event was lost. If the event exists, the upload gets the replayed response.
    const repeated: JsonResponse[] = [];
    for (const { petId, options } of rounds.flat()) repeated.push(await call('POST', `/v1/pets/${petId}/images`, options));
    expect(repeated.map(({ status }) => status)).toEqual(repeated.map(() => 201));
    expect(repeated.filter(({ headers }) => headers['idempotent-replayed']).length).toBe(photos.length);
    const allPhotos = await shownPhotos();
    expect([allPhotos.length, new Set(allPhotos).size, filesIn(dataDir).length]).toEqual(Array(3).fill(ROUNDS * UPLOADS));
  });
});
