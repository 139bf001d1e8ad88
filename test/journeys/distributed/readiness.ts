/** What a process says of itself to whoever watches over it. */
export type Readiness = {
  readonly status: number;
  /** What a worker has the lease of: `relay`, and read models by name. */
  readonly owns: readonly string[];
  /** How far everything is behind the log; null where that cannot be said. */
  readonly behind: Readonly<Record<string, number | null>>;
};

type Shown = { readonly owns?: Readiness['owns']; readonly behind?: Readiness['behind'] };

/** Asks an api or a worker how it is. Rejects when it does not answer in time, as one that stands still. */
export const readinessOf = async (url: string, milliseconds = 5_000): Promise<Readiness> => {
  const answer = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(milliseconds) });
  const body = (await answer.json()) as Shown & { readonly details?: { readonly store?: Shown } };
  const { owns = [], behind = {} } = body.details?.store ?? body;
  return { status: answer.status, owns, behind };
};
