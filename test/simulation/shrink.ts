import type { Plan } from './plan.js';
import { runPlan, type RunResult } from './run.js';

/** Runs that a search for the shortest history may take. */
const MAX_RUNS = 400;

/**
 * Returns the shortest plan found that breaks the same promise: it leaves out inputs, first many at once, then one by one, until
 * each one that is left is needed. What follows from the seed stays as it is.
 */
export const shrink = async (plan: Plan, invariant: string): Promise<Plan> => {
  let shortest = plan;
  let runs = 0;
  const breaks = async (inputs: Plan['inputs']): Promise<boolean> => {
    runs++;
    return (await runPlan({ ...plan, inputs })).violation?.invariant === invariant;
  };
  for (let size = Math.ceil(shortest.inputs.length / 2); size >= 1; size = size > 1 ? Math.ceil(size / 2) : 0) {
    for (let from = 0; from < shortest.inputs.length && runs < MAX_RUNS;) {
      const inputs = shortest.inputs.filter((_, index) => index < from || index >= from + size);
      if (await breaks(inputs)) shortest = { ...plan, inputs };
      else from += size;
    }
  }
  return shortest;
};

/** Returns the story of a plan, to be read from top to bottom. */
export const storyOf = async (plan: Plan): Promise<string> => {
  const { violation, story }: RunResult = await runPlan(plan, true);
  return [
    `Seed ${plan.seed}, ${plan.world}: ${plan.inputs.length} inputs`,
    ...story,
    violation ? `Broken: ${violation.invariant}. ${violation.message}` : 'Nothing is broken.',
  ].join('\n');
};
