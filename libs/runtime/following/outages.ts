/** Reports only the first failure of each outage. An outage lasts from a failure to the next recovery. */
export type Outages = {
  readonly reportFailure: (error: unknown) => void;
  /** Ends the outage, so that the next failure is reported again. */
  readonly reportRecovery: () => void;
};

/** Tracks the outages of a loop that retries, so that the loop does not log the same failure every second. */
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
