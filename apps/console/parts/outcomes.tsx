import type { RetryResult } from '../shapes.js';
import { StreamLink } from './links.js';
import { State, type Tone } from './state.js';

type Result = Pick<RetryResult, 'name' | 'stream' | 'outcome' | 'error'>;

/** What a trial says instead, because it changes nothing. */
const IN_TRIAL: Readonly<Partial<Record<Result['outcome'], string>>> = {
  released: 'would be handled',
  parked: 'would be parked again',
};

const WORDS: Readonly<Record<Result['outcome'], { readonly tone: Tone; readonly words: string }>> = {
  released: { tone: 'good', words: 'handled' },
  sent: { tone: 'good', words: 'is sent again' },
  parked: { tone: 'wrong', words: 'still parked' },
  waiting: { tone: 'warning', words: 'not retried yet: no process has done it within 10 s' },
  unknown: { tone: 'plain', words: 'not known before a retry' },
};

/** The most that are listed one by one. */
const LISTED = 20;

/** What a retry, a trial of one, or a skip has come to, by result and then one by one. */
export const Outcomes = ({ results, isTrial = false }: { readonly results: readonly Result[]; readonly isTrial?: boolean }) => {
  const wordsOf = (outcome: Result['outcome']): string => (isTrial ? IN_TRIAL[outcome] : undefined) ?? WORDS[outcome].words;
  if (results.length === 0) return <p>Nothing that was chosen is parked any more.</p>;
  const counts = [...Map.groupBy(results, ({ outcome }) => outcome)];
  return (
    <>
      <p class="acts">
        {counts.map(([outcome, of]) => (
          <State key={outcome} tone={WORDS[outcome].tone}>
            {of.length} {wordsOf(outcome)}
          </State>
        ))}
      </p>
      <ul class="plain outcomes">
        {results.slice(0, LISTED).map(({ name, stream, outcome, error }, index) => (
          <li key={index}>
            {name} <StreamLink stream={stream} />: {wordsOf(outcome)}
            {error !== undefined && <span class="bad">: {error}</span>}
          </li>
        ))}
      </ul>
      {results.length > LISTED && <p class="quiet">{results.length - LISTED} more are not listed.</p>}
    </>
  );
};
