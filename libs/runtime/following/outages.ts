/** Tells failures from outages: of each outage only the first failure is passed on. */
export type Outages = {
  readonly failed: (error: unknown) => void;
  /** It works: the next failure is that of another outage. */
  readonly over: () => void;
};

/** For loops that retry, and would otherwise log the same every second. */
export const outagesTo = (tell: (error: unknown) => void): Outages => {
  let lasting = false;
  return {
    failed(error) {
      if (!lasting) tell(error);
      lasting = true;
    },
    over: () => void (lasting = false),
  };
};
