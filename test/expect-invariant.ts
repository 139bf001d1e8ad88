/**
 * Throws if a promise of the service is broken that no delay may break, for example that no acknowledged change is lost.
 * `violations` has a line for each. The prefix of the error makes a run of tests red at once, without a second try. Call it on
 * the log or on a settled store, and never inside `eventually`.
 */
export const expectInvariant = (promise: string, violations: readonly string[]): void => {
  if (violations.length > 0) throw new Error(`INVARIANT ${promise}: ${violations.slice(0, SHOWN).join('\n')}`);
};

/** The number of violations that an error shows. */
const SHOWN = 10;
