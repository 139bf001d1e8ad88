import type { StoreHealth } from '../shapes.js';
import { Faults } from './faults.js';
import { State, toneOf } from './state.js';
import { Since } from './time.js';

const WORDS = {
  whole: 'The log is whole',
  altered: 'The log was altered',
  unverified: 'The log is not verified yet',
} as const;

/** Whether the log is whole, and up to where that is known. */
export const Integrity = ({ health }: { readonly health: Omit<StoreHealth, 'version'> | null }) => {
  if (health === null) return null;
  const { audit, brokenStreams, brokenStreamCount } = health;
  const { state, verifiedAt, verifiedPosition, unverifiedCount, endedAt } = audit;
  return (
    <section aria-labelledby="integrity">
      <h2 id="integrity">Integrity</h2>
      <p>
        <State tone={toneOf(state)}>{WORDS[state]}</State>{' '}
        {verifiedPosition !== undefined && verifiedAt !== undefined ? (
          <>
            Verified up to position {verifiedPosition.toLocaleString('en')} at <Since at={verifiedAt} />.
          </>
        ) : (
          <>
            No audit has ended without a fault yet{state === 'unverified' ? '; the first one begins a minute after the first start' : ''}.
          </>
        )}{' '}
        {unverifiedCount > 0
          ? `${unverifiedCount >= 1_000 ? '1,000 or more' : unverifiedCount} later events wait for the next audit.`
          : 'No later events.'}{' '}
        {state === 'altered' && endedAt !== undefined && (
          <>
            The audit ended at <Since at={endedAt} />.
          </>
        )}
      </p>
      <Faults faults={audit.faults} count={audit.faultCount} broken={brokenStreams} brokenCount={brokenStreamCount} />
    </section>
  );
};
