import { eventually } from '../../eventually.js';

/** The readiness of a process. */
export type Readiness = {
  readonly status: number;
  /** The leases of a worker: `relay`, and read models by name. */
  readonly owns: readonly string[];
  /** The lag of each read model and the relay; null where it is unknown. */
  readonly behind: Readonly<Record<string, number | null>>;
};

type ReadinessBody = { readonly owns?: Readiness['owns']; readonly behind?: Readiness['behind'] };

/** Returns the readiness of an API or a worker. Rejects when it does not answer in time. */
export const readinessOf = async (url: string, milliseconds = 5_000): Promise<Readiness> => {
  const response = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(milliseconds) });
  const body = (await response.json()) as ReadinessBody & { readonly details?: { readonly store?: ReadinessBody } };
  const { owns = [], behind = {} } = body.details?.store ?? body;
  return { status: response.status, owns, behind };
};

/** Waits until the lag of every read model and of the relay is 0, as an API or a worker reports it. */
export const waitUntilCaughtUp = async (url: string): Promise<void> =>
  void (await eventually('the read models to catch up', async () => {
    const lags = Object.values((await readinessOf(url)).behind);
    return lags.length > 0 && lags.every((lag) => lag === 0);
  }));
