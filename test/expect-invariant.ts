/**
 * Runs expectations about a promise of the service that no delay may break, for example that no acknowledged change is lost.
 * The prefix of its error makes a run of tests red at once, without a second try. Call it on the log or on a settled store, and
 * never inside `eventually`.
 */
export const expectInvariant = (promise: string, expectations: () => void): void => {
  try {
    expectations();
  } catch (error) {
    throw new Error(`INVARIANT ${promise}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
};
