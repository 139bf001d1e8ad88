/** Reports outages instead of failures: only the first failure of each outage. */
export type Outages = {
  readonly reportFailure: (error: unknown) => void;
  /** Ends the outage: the next failure starts another one. */
  readonly reportRecovery: () => void;
};

/** Tracks the outages of a loop that retries, so that it does not log the same failure every second. */
export const trackOutages = (report: (error: unknown) => void): Outages => {
  let isOngoing = false;
  return {
    reportFailure(error) {
      if (!isOngoing) report(error);
      isOngoing = true;
    },
    reportRecovery: () => void (isOngoing = false),
  };
};
