import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { withOptions } from './options.mjs';
import { NODE, inRoot, printLine } from './workspace.mjs';

const MAIN = inRoot('dist', 'test', 'simulation', 'main.js');
const WORLDS = ['one folder', 'several machines'];
/** Seconds within which a planted bug must be found. */
const FOUND_WITHIN = 60;
/** More seeds than any run has. */
const ENDLESS = 1_000_000_000;

const HELP = `Usage: npm run simulate -- [options]

Runs the service from seeds: its commands, processes, consumers, deliveries, timers and leases, on simulated time and on simulated
servers that crash, pause, lose answers and set their clocks. A seed is a run in each of two worlds: one folder, and several
machines. After each step the run checks what the service promises. The first broken promise ends everything: it is printed with
the shortest history that still breaks it. test/README.md says how to read such a story.

  --seed N        the first seed (default 1)
  --runs M        the number of seeds (default 1000)
  --minutes T     end after this time, if not all seeds have run by then
  --world NAME    only "one folder" or only "several machines"
  --story         tell the run of the seed, whether or not it breaks a promise
  --plant NAME    plant a bug of test/simulation/planted.ts first, to see it found
  --planted       plant each of these bugs in turn, and expect each to be found within a minute
  --help          print this help

Exit codes: 0 every promise was kept, or every planted bug was found; 1 otherwise; 2 invalid options.
`;

const OPTIONS = {
  seed: { type: 'string', default: '1' },
  runs: { type: 'string', default: '1000' },
  minutes: { type: 'string' },
  world: { type: 'string' },
  story: { type: 'boolean', default: false },
  plant: { type: 'string' },
  planted: { type: 'boolean', default: false },
};

const checkValues = (values) => {
  for (const name of ['seed', 'runs', 'minutes'])
    if (values[name] !== undefined && !/^[1-9]\d{0,8}$/.test(values[name]))
      throw new TypeError(`--${name} needs a whole number from 1 on, not ${values[name]}`);
  if (values.world !== undefined && !WORLDS.includes(values.world))
    throw new TypeError(`--world is "one folder" or "several machines", not ${values.world}`);
};

/**
 * Runs the seeds of a task in one process for each processor. Calls `onReport` with each report. Resolves when all have ended: the
 * first broken promise, or `milliseconds`, ends them. Resolves to the report of the broken promise, or null.
 */
const runTask = async (task, milliseconds, onReport = () => undefined) => {
  const threads = task.isTold ? 1 : availableParallelism();
  const children = [];
  let broken = null;
  const endAll = () => children.forEach((child) => child.kill());
  const timer = milliseconds === undefined ? undefined : setTimeout(endAll, milliseconds);
  const ends = Array.from({ length: threads }, (_, nth) => {
    const own = JSON.stringify({ ...task, seed: task.seed + nth, step: threads });
    const child = spawn(NODE, ['--no-warnings', MAIN, own], { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    createInterface({ input: child.stdout }).on('line', (line) => {
      const report = JSON.parse(line);
      if (report.kind === 'broken' && !broken) {
        broken = report;
        endAll();
      }
      onReport(report);
    });
    return new Promise((resolve) => child.once('close', (code) => resolve(code !== 0 && code !== 1 && !child.killed)));
  });
  const hasFailed = (await Promise.all(ends)).includes(true);
  clearTimeout(timer);
  if (hasFailed) throw new Error('a simulation has failed: see its errors above');
  return broken;
};

const whole = (count) => Math.round(count).toLocaleString('en-US');

const simulateSeeds = async ({ seed, runs, minutes, world, story, plant }) => {
  const task = {
    ...{ seed: Number(seed), last: Number(seed) + (story ? 1 : Number(runs)) - 1, isTold: story },
    ...{ worlds: world === undefined ? WORLDS : [world], plant },
  };
  const begun = performance.now();
  const total = { runs: 0, steps: 0, events: 0 };
  let toldAt = begun;
  const broken = await runTask(task, minutes === undefined ? undefined : Number(minutes) * 60_000, (report) => {
    if (report.kind === 'story') process.stdout.write(`${report.text}\n\n`);
    if (report.kind !== 'progress') return;
    for (const name of Object.keys(total)) total[name] += report[name];
    if (performance.now() - toldAt < 5_000) return;
    toldAt = performance.now();
    printLine(`${whole(total.runs)} of ${whole((task.last - task.seed + 1) * task.worlds.length)} runs`);
  });
  const seconds = (performance.now() - begun) / 1_000;
  if (broken) process.stdout.write(`Seed ${broken.seed} breaks a promise: ${broken.invariant}\n\n${broken.text}\n\n`);
  printLine(
    `${whole(total.runs)} runs in ${whole(seconds)} s, ${whole((total.runs / seconds) * 60)} a minute: ${whole(total.steps)} steps, ${whole(total.events)} events`,
  );
  const planted = plant === undefined ? '' : ` --plant ${plant}`;
  printLine(
    broken
      ? `Repeat it: npm run simulate -- --seed ${broken.seed} --runs 1 --world "${broken.world}"${planted}`
      : 'Every promise was kept.',
  );
  return broken ? 1 : 0;
};

/** Plants each bug, and looks for it from the first seed on. */
const simulatePlanted = async (bugs) => {
  let missed = 0;
  for (const [name, { bug, world }] of Object.entries(bugs)) {
    const begun = performance.now();
    const task = { seed: 1, last: ENDLESS, isTold: false, isBrief: true, worlds: [world], plant: name };
    const broken = await runTask(task, FOUND_WITHIN * 1_000);
    const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
    if (!broken) missed++;
    printLine(`${name} (${bug}): ${broken ? `found by seed ${broken.seed} after ${seconds} s: ${broken.invariant}` : 'NOT FOUND'}`);
  }
  return missed === 0 ? 0 : 1;
};

/** Simulates the service from seeds. Returns the exit code. */
export const simulate = withOptions({ help: HELP, options: OPTIONS, check: checkValues }, async (values) => {
  const { PLANTED_BUGS } = await import(inRoot('dist', 'test', 'simulation', 'planted.js'));
  if (values.planted) return simulatePlanted(PLANTED_BUGS);
  if (values.plant !== undefined && !Object.hasOwn(PLANTED_BUGS, values.plant)) {
    printLine(`--plant is one of ${Object.keys(PLANTED_BUGS).join(', ')}, not ${values.plant}`);
    return 2;
  }
  return simulateSeeds(values);
});
