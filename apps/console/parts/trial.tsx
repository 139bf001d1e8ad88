import { useEffect, useState } from 'preact/hooks';
import { problemOf, readJson } from '../api.js';
import type { Problem, RetryChoice, RetryResult } from '../shapes.js';
import { SHARED } from '../tenant.js';
import { Outcomes } from './outcomes.js';
import { ProblemNote } from './problem.js';

/** What a retry would come to. It changes nothing and is not recorded, so it is made before anybody decides. */
export const Trial = ({ choice }: { readonly choice: RetryChoice }) => {
  const [results, setResults] = useState<readonly RetryResult[] | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  useEffect(() => {
    readJson<{ readonly results: readonly RetryResult[] }>('v1/ops/parked/retry', {
      body: { ...choice, trial: true },
      tenant: SHARED,
    }).then(
      (answer) => setResults(answer.results),
      (error: unknown) => setProblem(problemOf(error)),
    );
  }, []);
  return (
    <section class="trial" aria-label="Trial">
      <h3>What a trial says</h3>
      <div role="status">
        {results === null ? problem === null && <p>Trying, without changing anything…</p> : <Outcomes results={results} isTrial />}
      </div>
      {problem && <ProblemNote problem={problem} />}
    </section>
  );
};
