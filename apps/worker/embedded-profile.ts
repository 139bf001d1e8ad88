import { storedEndpoints } from '../../libs/deliveries/announce/endpoint-lookup.js';
import type { Clock } from '../../libs/eventsourcing/ports/clock.port.js';
import type { Documents } from '../../libs/eventsourcing/ports/documents.port.js';
import { createSerialQueue } from '../../libs/eventsourcing/scheduling/serial-queue.js';
import { repeat } from '../../libs/runtime/following/repeat.js';
import type { OperatorDecisions } from '../../libs/runtime/operating/operator-state.js';
import { meetRetryRequests } from '../../libs/runtime/operating/retry-requests.js';
import { projections } from '../../libs/projections/projections.js';
import { RETRY_INTERVAL, type Profile, type RunningRole } from './roles.js';

/** The ports that roles need only in the embedded profile. `RolePorts` has those that both profiles need. */
export type EmbeddedProfilePorts = {
  readonly documents: Documents;
  readonly decisions: OperatorDecisions;
  readonly clock: Clock;
  /**
   * Applies the log to read models that are new or lag behind. All other read models need no work here, because each
   * append updates them in its own transaction.
   */
  readonly catchUp: (options: { readonly signal: AbortSignal }) => Promise<unknown>;
  /** Retries parked streams. Resolves with the number of streams that are no longer parked. */
  readonly retryParkedStreams: () => Promise<number>;
  readonly onError: (error: unknown) => void;
};

/** Creates the roles of the embedded profile, in which one process runs all of them. */
export const createEmbeddedProfile = (ports: EmbeddedProfilePorts): Profile => ({
  startProjections: () => startProjections(ports),
  openEndpoints: () => ({ ...storedEndpoints(ports.documents), stop: () => Promise.resolve() }),
  runExclusively: (_, start) => start(),
});

const startProjections = ({ documents, decisions, catchUp, retryParkedStreams, clock, onError }: EmbeddedProfilePorts): RunningRole => {
  const stopping = new AbortController();
  const inTurn = createSerialQueue();
  // The first run does not wait for the clock. Only a failure, and the end of a pause, leaves something for the later ones.
  const first = catchUp({ signal: stopping.signal }).catch(onError);
  const catchUpOnce = (): Promise<unknown> => inTurn(() => first.then(() => catchUp({ signal: stopping.signal })));
  const endWatching = decisions.onChange(() => void catchUpOnce().catch(onError));
  const repeatAfter = (firstDelay: number, work: () => Promise<unknown>) =>
    repeat({ clock, firstDelay, work: () => work().then(() => RETRY_INTERVAL), failureDelay: RETRY_INTERVAL, onError });
  const stops = [
    repeatAfter(RETRY_INTERVAL, catchUpOnce),
    repeatAfter(0, retryParkedStreams),
    meetRetryRequests({ documents, decisions, names: projections.map(({ name }) => name), retry: retryParkedStreams, onError }),
  ];
  return {
    async stop() {
      stopping.abort();
      endWatching();
      await Promise.all([first, inTurn(() => Promise.resolve()), ...stops.map((stop) => stop())]);
    },
  };
};
