import { useState } from 'preact/hooks';
import { readJson, RequestProblem } from '../api.js';
import { session } from '../session.js';
import type { Problem } from '../shapes.js';
import { askAbout } from './action.js';
import { enableAction, type Endpoint } from './delivery-actions.js';
import { ProblemNote } from './problem.js';

type Props = { readonly id: string; readonly tenant: string };

/** A button that enables an endpoint. A change of an endpoint has all its fields, so it is read first. */
export const EnableEndpoint = ({ id, tenant }: Props) => {
  const [problem, setProblem] = useState<Problem | null>(null);
  if (session.get().claims?.scopes.has('write:webhooks') !== true)
    return <span class="quiet">enabled again with a token that has write:webhooks</span>;
  const ask = async (): Promise<void> => {
    try {
      askAbout(enableAction(await readJson<Endpoint>(`v1/webhooks/${encodeURIComponent(id)}`, { tenant }), tenant));
    } catch (error) {
      if (error instanceof RequestProblem) setProblem(error.problem);
    }
  };
  return (
    <>
      <button type="button" class="act" aria-haspopup="dialog" aria-label={`Enable the endpoint ${id}`} onClick={() => void ask()}>
        Enable the endpoint
      </button>
      {problem && <ProblemNote problem={problem} />}
    </>
  );
};
