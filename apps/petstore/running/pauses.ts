import type { OperatorDecisions } from '../../../libs/runtime/operating/operator-state.js';
import type { Log } from '../logging/log.js';

/** Returns the member of health checks that names the paused read models. It is absent if there are none (contract 25.1). */
export const pausedIn = (decisions: Pick<OperatorDecisions, 'current'>): { readonly paused?: readonly string[] } => {
  const { paused } = decisions.current();
  return paused ? { paused: Object.keys(paused) } : {};
};

/** Says at a start which read models are paused: they show what they have, and no new version of them is filled (contract 43.5). */
export const warnOfPauses = (decisions: Pick<OperatorDecisions, 'current'>, log: Log): void => {
  for (const [projection, { since, by }] of Object.entries(decisions.current().paused ?? {}))
    log.warn(
      { projection, since, by },
      `the read model ${projection} is paused: it shows no later changes, and no new version of it is filled. Run: petstore projections resume ${projection}`,
    );
};
