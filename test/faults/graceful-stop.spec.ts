import { afterEach, describe, expect, it } from '@jest/globals';
import { createRandom } from '../../apps/petstore/seeding/sample-pets.js';
import { createSharedState, startLoad } from '../journeys/shoppers.js';
import { printLine } from '../print-line.js';
import { expectLogMatchesResponses } from '../journeys/log-matches-responses.js';
import { RequestRecorder } from '../journeys/request-recorder.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { startServiceProcess, tokenFor } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';

const ROUNDS = Math.ceil(Number(process.env['FAULT_ROUNDS'] ?? 50) / 2);
const SEED = Number(process.env['FAULT_SEED'] ?? 7);
const SHOPPERS = 12;

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

/** Proves contract 26.4. */
describe('a service that is stopped repeatedly under load', () => {
  it(`answers every recorded request, ${ROUNDS} times`, async () => {
    printLine(`SIGTERM, ${ROUNDS} times, seed ${SEED}`);
    const random = createRandom(SEED);
    const dataDir = newFolder();
    const recorder = new RequestRecorder();
    const shared = createSharedState(true);
    for (let round = 1; round <= ROUNDS; round++) {
      const service = await startServiceProcess({ dataDir, env: { LOG_LEVEL: 'warn' } });
      const token = await tokenFor(dataDir);
      const seeds = Array.from({ length: SHOPPERS }, () => Math.floor(random() * 2 ** 32));
      const randomOf = (shopper: number) => createRandom(seeds[shopper] ?? 0);
      const load = startLoad({ url: service.url, token, shoppers: SHOPPERS, randomOf, recorder, shared });
      await load.after(50 + Math.floor(random() * 300), random() < 0.5 ? 'sent' : 'answered');
      expect(await service.stop()).toEqual({ code: 0, signal: null });
      await load.finished;
      expectLogMatchesResponses(dataDir, recorder);
    }
  });
});
