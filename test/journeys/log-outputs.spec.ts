import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.js';
import { caller, type Call } from '../servers/calling.js';
import { waitUntilIdle } from '../servers/cpu-time.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { BROKEN_OUTPUTS, unreadPipe, type TestOutput } from '../servers/outputs.js';
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

const open = (make: () => TestOutput): TestOutput => {
  const output = make();
  opened.push(output);
  return output;
};

type StartedStore = { readonly store: Program; readonly call: Call };

/** Starts the service. Reads its address from the folder, because the output may be unreadable. */
const startStore = async (level: string, outputs: Pick<ProgramOptions, 'stdout' | 'stderr'>): Promise<StartedStore> => {
  const dataDir = newFolder();
  const store = startPetstore(['start'], { dataDir, env: { LOG_LEVEL: level } }, outputs);
  const url = await eventually(
    'the address of the service',
    () => (JSON.parse(readFileSync(join(dataDir, 'holder.json'), 'utf8')) as { url?: string }).url,
    30_000,
  );
  return { store, call: caller(url, await tokenFor(dataDir)) };
};

const PET = { body: { name: 'Rex', species: 'DOG', ageMonths: 1 }, headers: { 'x-request-id': LONG_ID } };

/** Sends reads and writes. Returns the distinct statuses of the answers. */
const useStore = async (call: Call, count: number): Promise<readonly number[]> => {
  const statuses: number[] = [];
  for (let sent = 0; sent < count; sent += 20) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 === 0 ? call('POST', '/v1/pets', PET) : call('GET', '/v1/pets', { headers: PET.headers }),
      ),
    );
    statuses.push(...answers.map(({ status }) => status));
  }
  return [...new Set(statuses)].toSorted();
};

/** The log levels and broken outputs of the tests. `debug` logs every request, `info` only the writes. */
const AT_LEVELS = [
  ...BROKEN_OUTPUTS.map((output) => ['debug', ...output] as const),
  ['info', 'pipes that are not read', unreadPipe] as const,
];

/** Proves contract 25.5. */
describe('standard output and standard error', () => {
  it.each(AT_LEVELS)(
    'do not block or end the service with LOG_LEVEL %s, on %s',
    async (level, _, make) => {
      const [stdout, stderr] = [open(make), open(make)];
      const { store, call } = await startStore(level, { stdout: stdout.target, stderr: stderr.target });
      expect(await useStore(call, 600)).toEqual([200, 201]);
      expect(await waitUntilIdle(store.pid, 0.2)).toBeLessThanOrEqual(0.2);
      store.signal('SIGTERM');
      expect(await store.ended).toEqual({ code: 0, signal: null });
    },
    60_000,
  );
});

type Line = { readonly msg: string; readonly dropped?: number; readonly method?: string };

/** Proves contract 25.5. */
describe('a log that is not read for a while', () => {
  it('contains the buffered lines and the number of dropped lines', async () => {
    const output = open(unreadPipe);
    const { store, call } = await startStore('debug', { stderr: output.target });
    // A pipe holds 64 KiB, the queue 1 MiB, and each of these lines has more than 300 bytes.
    expect(await useStore(call, 6_000)).toEqual([200, 201]);

    let text = '';
    const linesSoFar = (): readonly Line[] =>
      text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Line);
    const notice = await eventually('the number of dropped lines', () => {
      text += output.read();
      return linesSoFar().find(({ dropped }) => dropped !== undefined);
    });
    const requests = linesSoFar().filter(({ msg }) => msg === 'request').length;
    expect(requests + (notice.dropped ?? 0)).toBe(6_000);
    expect(await useStore(call, 20)).toEqual([200, 201]);
    await eventually('new lines', () => {
      text += output.read();
      return linesSoFar().filter(({ msg }) => msg === 'request').length === requests + 20;
    });
    store.signal('SIGTERM');
    expect(await store.ended).toEqual({ code: 0, signal: null });
    text += output.read();
    expect(linesSoFar().at(-1)?.msg).toBe('stopped');
  }, 60_000);
});
