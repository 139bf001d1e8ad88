import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach } from '@jest/globals';
import { eventually } from '../eventually.js';
import { caller, type Call } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import type { TestOutput } from '../servers/outputs.js';
import { startPetstore, tokenFor } from '../servers/process.js';
import { endPrograms, type Program, type ProgramOptions } from '../servers/program.js';

/** A long request id, so that few log lines fill the pipe and the queue of the process. */
const LONG_ID = 'x'.repeat(120);

let opened: TestOutput[] = [];
afterEach(async () => {
  await endPrograms();
  for (const output of opened) output.close();
  opened = [];
  removeFolders();
});

/** Opens an output. It is closed after the test. */
export const open = (make: () => TestOutput): TestOutput => {
  const output = make();
  opened.push(output);
  return output;
};

type StartedService = { readonly service: Program; readonly call: Call };

/** Starts the service. Reads its address from the folder, because the output may be unreadable. */
export const startWithOutputs = async (level: string, outputs: Pick<ProgramOptions, 'stdout' | 'stderr'>): Promise<StartedService> => {
  const dataDir = newFolder();
  const service = startPetstore(['start'], { dataDir, env: { LOG_LEVEL: level } }, outputs);
  const url = await eventually(
    'the address of the service',
    () => (JSON.parse(readFileSync(join(dataDir, 'holder.json'), 'utf8')) as { url?: string }).url,
  );
  return { service, call: caller(url, await tokenFor(dataDir)) };
};

const PET = { body: { name: 'Rex', species: 'DOG', ageMonths: 1 }, headers: { 'x-request-id': LONG_ID } };

/** Sends reads and writes. Returns the distinct statuses of the responses. */
export const sendReadsAndWrites = async (call: Call, count: number): Promise<readonly number[]> => {
  const statuses: number[] = [];
  for (let sent = 0; sent < count; sent += 20) {
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 === 0 ? call('POST', '/v1/pets', PET) : call('GET', '/v1/pets', { headers: PET.headers }),
      ),
    );
    statuses.push(...responses.map(({ status }) => status));
  }
  return [...new Set(statuses)].toSorted();
};
