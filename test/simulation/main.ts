import { PLANTED_BUGS, plant } from './planted.js';
import type { WorldName } from './plan.js';

/** What one process of `npm run simulate` runs: every `step`th seed from `seed` on, up to `last`, in these worlds. */
export type Task = {
  readonly seed: number;
  readonly last: number;
  readonly step: number;
  readonly worlds: readonly WorldName[];
  /** Tells the runs of the seeds, whether or not they break a promise. */
  readonly isTold: boolean;
  /** The name of a bug to plant. */
  readonly plant?: string;
  /** Tells only what is broken, not the story. */
  readonly isBrief?: boolean;
};

/** What a process reports, one JSON text for each line: its progress since its last report, or its end. */
export type Report =
  | { readonly kind: 'progress'; readonly runs: number; readonly steps: number; readonly events: number }
  | { readonly kind: 'story'; readonly text: string }
  | { readonly kind: 'broken'; readonly seed: number; readonly world: WorldName; readonly invariant: string; readonly text: string };

/** The number of runs between two reports. */
const REPORT_EVERY = 25;

const report = (line: Report): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

const task = JSON.parse(process.argv[2] ?? '') as Task;
const bug = task.plant === undefined ? undefined : PLANTED_BUGS[task.plant];
if (bug) plant(bug);
// Modules that are loaded from here on have the planted bug.
const [{ planOf }, { runPlan }, { shrink, storyOf }] = await Promise.all([import('./plan.js'), import('./run.js'), import('./shrink.js')]);

let progress = { runs: 0, steps: 0, events: 0 };
const reportProgress = (): void => {
  report({ kind: 'progress', ...progress });
  progress = { runs: 0, steps: 0, events: 0 };
};

/** Runs a seed in a world. Returns whether it kept all promises. */
const runSeed = async (world: WorldName, seed: number): Promise<boolean> => {
  const plan = planOf(world, seed);
  const { violation, steps, events } = await runPlan(plan);
  progress = { runs: progress.runs + 1, steps: progress.steps + steps, events: progress.events + events };
  if (progress.runs >= REPORT_EVERY) reportProgress();
  if (task.isTold) report({ kind: 'story', text: await storyOf(plan) });
  if (!violation) return true;
  reportProgress();
  const { invariant } = violation;
  const text = task.isBrief ? violation.message : await storyOf(await shrink(plan, invariant));
  report({ kind: 'broken', seed, world, invariant, text });
  return false;
};

const runAll = async (): Promise<boolean> => {
  for (let { seed } = task; seed <= task.last; seed += task.step)
    for (const world of task.worlds) if (!(await runSeed(world, seed))) return false;
  reportProgress();
  return true;
};

process.exitCode = (await runAll()) ? 0 : 1;
