import type { ComponentChildren } from 'preact';
import { fieldWords } from '../event-words.js';
import { placeOf } from '../place.js';
import type { Problem } from '../shapes.js';
import type { Reading } from '../use-read.js';

/** Returns the kind of a problem: `history-altered`. */
export const kindOfProblem = ({ type = '' }: Problem): string | undefined => /\/errors\/([a-z-]+)$/.exec(type)?.[1];

/** A problem in the words of the service. */
export const ProblemNote = ({ problem, children }: { readonly problem: Problem; readonly children?: ComponentChildren }) => {
  const kind = kindOfProblem(problem);
  // A single error is usually in the detail already.
  const errors = problem.errors?.filter(({ message }) => !problem.detail.includes(message)) ?? [];
  return (
    <div class="note wrong" role="alert">
      <strong>{problem.title}</strong>
      <p>{problem.detail}</p>
      {errors.length > 0 && (
        <ul>
          {errors.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              {fieldWords(field)}: {message}
            </li>
          ))}
        </ul>
      )}
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
