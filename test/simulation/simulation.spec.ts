import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT, startProgram } from '../servers/program.js';
import type { Report, Task } from './main.js';
import type { WorldName } from './plan.js';
import { PLANTED_BUGS } from './planted.js';

const NODE = join(ROOT, 'node_modules', '.bin', 'node');
const MAIN = join(ROOT, 'dist', 'test', 'simulation', 'main.js');
const WORLDS: readonly WorldName[] = ['one folder', 'several machines'];
const SEEDS = 100;
/** The number of seeds that look for a planted bug. One is enough, until a change of the code changes what the seeds do. */
const SEEDS_FOR_A_BUG = 300;

/** Runs a task in a process of its own, as `npm run simulate` does: a planted bug changes the modules of the whole process. */
const run = async (task: Partial<Task> & Pick<Task, 'seed'>): Promise<readonly Report[]> => {
  const whole: Task = { last: task.seed, step: 1, worlds: WORLDS, isTold: false, ...task };
  const program = startProgram(NODE, ['--no-warnings', MAIN, JSON.stringify(whole)]);
  const { code } = await program.ended;
  if (code === null || code > 1) throw new Error(program.stderr());
  const lines = program.stdout().trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Report);
};

const brokenIn = (reports: readonly Report[]) => reports.flatMap((report) => (report.kind === 'broken' ? [report] : []));
const runsIn = (reports: readonly Report[]): number =>
  reports.reduce((sum, report) => sum + (report.kind === 'progress' ? report.runs : 0), 0);

describe('the service, simulated from seeds', () => {
  it(`keeps its promises for ${SEEDS} seeds, on one folder and on several machines`, async () => {
    const halves = await Promise.all([1, 2].map((seed) => run({ seed, last: SEEDS, step: 2 })));
    expect(brokenIn(halves.flat())).toEqual([]);
    expect(halves.map(runsIn)).toEqual([SEEDS, SEEDS]);
  });

  it('has the same story whenever a seed runs', async () => {
    const stories = await Promise.all([1, 2].map(() => run({ seed: 5, isTold: true })));
    expect(stories[0]).toEqual(stories[1]);
    expect(stories[0]?.flatMap((report) => (report.kind === 'story' ? report.text : []))).toHaveLength(WORLDS.length);
  });

  it.each(Object.entries(PLANTED_BUGS))('breaks a promise if this bug is planted: %s', async (name, { world, seed }) => {
    const [broken] = brokenIn(await run({ seed, last: seed + SEEDS_FOR_A_BUG - 1, worlds: [world], plant: name, isBrief: true }));
    expect(broken).toMatchObject({ world });
  });
});
