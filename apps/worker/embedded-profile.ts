import { storedEndpoints } from '../../libs/deliveries/announce/endpoint-lookup.js';
import type { Clock } from '../../libs/eventsourcing/ports/clock.port.js';
import type { Documents } from '../../libs/eventsourcing/ports/documents.port.js';
import { repeat } from '../../libs/runtime/following/repeating.js';
import { RETRY_INTERVAL, type Profile, type RunningRole } from './roles.js';

/** What the roles of the embedded profile work on beside the ports of all roles. */
export type EmbeddedProfilePorts = {
  readonly documents: Documents;
  readonly clock: Clock;
  /** Brings read models that are new, or behind, to the end of the log; all others change with it. */
  readonly catchUp: (options: { readonly signal: AbortSignal }) => Promise<unknown>;
  /** Projects again what projections could not take; answers how many streams came free. */
  readonly retryParkedStreams: () => Promise<number>;
  readonly onError: (error: unknown) => void;
};

/** The roles as one process has them that shares its folder with nobody. */
export const createEmbeddedProfile = (ports: EmbeddedProfilePorts): Profile => ({
  startProjections: () => startProjections(ports),
  openEndpoints: () => ({ ...storedEndpoints(ports.documents), stop: () => Promise.resolve() }),
  runExclusively: (_, start) => start(),
});

const startProjections = ({ catchUp, retryParkedStreams, clock, onError }: EmbeddedProfilePorts): RunningRole => {
  const stopping = new AbortController();
  const caughtUp = catchUp({ signal: stopping.signal }).catch(onError);
  const retry = async (): Promise<number> => {
    await retryParkedStreams();
    return RETRY_INTERVAL;
  };
  const stopRetrying = repeat({ clock, first: 0, work: retry, afterFailure: RETRY_INTERVAL, onError });
  return {
    async stop() {
      stopping.abort();
      await Promise.all([caughtUp, stopRetrying()]);
    },
  };
};
