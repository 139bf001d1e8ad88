import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from '@jest/globals';
import { hostileUploads, sendUpload } from '../http/hostile-images.js';
import { caller } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { startServiceProcess, tokenFor, type ServiceProcess } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';

const dataDir = newFolder();
const temporary = newFolder();
mkdirSync(temporary, { recursive: true });
afterAll(async () => {
  await endPrograms();
  removeFolders();
});

/** MiB. A leak of 60 kB for each upload would exceed it in five rounds. */
const MAX_GROWTH = 16;
/** MiB. */
const MAX_MEMORY = 700;

/** Returns the resident memory of the service process in MiB. */
const residentMebibytes = ({ pid }: ServiceProcess): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

/** Proves contract 37.2. */
describe('hostile uploads', () => {
  it('do not make the memory grow without limit', async () => {
    const service = await startServiceProcess({ dataDir, env: { LOG_LEVEL: 'warn', TMPDIR: temporary } });
    const call = caller(service.url, await tokenFor(dataDir));
    const petId = String((await call('POST', '/v1/pets', { body: { name: 'Posey', species: 'CAT', ageMonths: 3 } })).json['id']);
    const uploads = await hostileUploads();
    const memory: number[] = [];
    const fiveRounds = async (): Promise<void> => {
      for (let rounds = 0; rounds < 5; rounds++) await Promise.all(uploads.map((upload) => sendUpload(call, petId, upload)));
      memory.push(residentMebibytes(service));
    };
    // The allocator keeps some freed memory, so the memory can grow for a few rounds. With a leak, it never stops growing.
    const growth = (): number => (memory.at(-1) ?? 0) - (memory.at(-2) ?? 0);
    do await fiveRounds();
    while (memory.length < 2 || (growth() > MAX_GROWTH && memory.length < 12));
    process.stderr.write(`resident memory after each ${5 * uploads.length} uploads: ${memory.map(Math.round).join(', ')} MiB\n`);
    expect(growth()).toBeLessThanOrEqual(MAX_GROWTH);
    expect(memory.at(-1)).toBeLessThan(MAX_MEMORY);
    expect(readdirSync(temporary)).toEqual([]);
  });
});
