import type { OperatorDecisions } from '../../../libs/runtime/operating/operator-state.js';

/** Returns the member of health checks that names the paused read models. It is absent if there are none (contract 25.1). */
export const pausedIn = (decisions: Pick<OperatorDecisions, 'current'>): { readonly paused?: readonly string[] } => {
  const { paused } = decisions.current();
  return paused ? { paused: Object.keys(paused) } : {};
};
