import type { ComponentChildren } from 'preact';
import { placeOf } from '../place.js';
import type { Problem } from '../shapes.js';
import type { Reading } from '../use-read.js';

/** Returns the kind of a problem: `history-altered`. */
export const kindOfProblem = ({ type = '' }: Problem): string | undefined => /\/errors\/([a-z-]+)$/.exec(type)?.[1];

/** A problem in the words of the service. */
export const ProblemNote = ({ problem, children }: { readonly problem: Problem; readonly children?: ComponentChildren }) => {
  const kind = kindOfProblem(problem);
  return (
    <div class="note wrong" role="alert">
      <strong>{problem.title}</strong>
      <p>{problem.detail}</p>
      {children}
      {kind !== undefined && (
        <p>
          <a href={`${placeOf().root}errors/${kind}`}>About this kind of problem</a>
        </p>
      )}
    </div>
  );
};

type Props<T> = { readonly reading: Reading<T>; readonly children: (data: T) => ComponentChildren };

/** Shows what was read. A problem is shown above what was read before, and never instead of it. */
export const Read = <T,>({ reading: { data, problem, isReading }, children }: Props<T>) => (
  <>
    {problem && <ProblemNote problem={problem} />}
    {data !== undefined ? children(data) : isReading && !problem ? <p class="quiet">Reading…</p> : null}
  </>
);
