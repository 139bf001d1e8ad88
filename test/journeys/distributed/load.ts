import { createRandom } from '../../../apps/petstore/seeding/sample-pets.js';
import type { JsonResponse, Call } from '../../servers/calling.js';
import { emptyShopperState, sendRequest, planNext, type SharedState, type Random } from '../shoppers.js';
import type { ChangeRequest, Outcome, RequestRecorder } from '../request-recorder.js';

type ClusterLoadOptions = {
  /** A client of each API. An API may be unavailable for a while. */
  readonly calls: readonly Call[];
  readonly shoppers: number;
  /** The seed of the random choices of the shoppers. Their timing is not reproducible. */
  readonly seed: number;
  readonly recorder: RequestRecorder;
  readonly shared: SharedState;
  /** Milliseconds that a shopper waits before each further request or retry. Default: 25. */
  readonly pause?: number;
};

/** The counts of a load. */
export type LoadCounts = {
  /** Requests with a final response. */
  readonly answered: number;
  /** Attempts that failed before a response arrived. */
  readonly cut: number;
  /** Attempts that were answered 503 with `Retry-After`. */
  readonly unavailable: number;
};

/** A load on several APIs, which continues when one of them fails. */
export type ClusterLoad = {
  counts(): LoadCounts;
  /** The number of requests in flight. */
  inFlight(): number;
  /** Requests that were sent more than once, each with its idempotency key. Some may still have no response. */
  readonly repeated: readonly Outcome[];
  /** Sends no further requests. Resolves when every shopper has stopped. */
  stop(): Promise<void>;
};

const PAUSE = 25;
/** The maximum number of attempts of a request. If none gets a response, the audit repeats the request later. */
const MAX_ATTEMPTS = 200;

/** Starts shoppers. Each sends one request after another to random APIs until the load is stopped. */
export const startClusterLoad = (options: ClusterLoadOptions): ClusterLoad => {
  const { calls, shoppers, seed, recorder, shared, pause: milliseconds = PAUSE } = options;
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const counts = { answered: 0, cut: 0, unavailable: 0, inFlight: 0 };
  const repeated: Outcome[] = [];
  let stopping = false;

  /** Returns null if the outcome is unknown: no response, or a 503 with Retry-After. */
  const attempt = async (call: Call, request: ChangeRequest): Promise<JsonResponse | null> => {
    counts.inFlight++;
    try {
      const response = await sendRequest(call, request);
      // A 503 without Retry-After breaks contract 4.8. It is recorded as an unexpected response.
      if (response.status !== 503 || response.headers['retry-after'] === undefined) return response;
      counts.unavailable++;
    } catch {
      counts.cut++;
    } finally {
      counts.inFlight--;
    }
    return null;
  };

  /** Sends a request, and repeats it at random APIs up to MAX_ATTEMPTS times. A request without a key is sent once. */
  const sendWithRetries = async (outcome: Outcome, random: Random): Promise<void> => {
    const attempts = outcome.request.idempotencyKey === undefined ? 1 : MAX_ATTEMPTS;
    for (let count = 1; count <= attempts; count++) {
      if (count === 2) repeated.push(outcome);
      if (count > 1) await pause();
      const call = calls[Math.floor(random() * calls.length)];
      outcome.response = call ? await attempt(call, outcome.request) : null;
      if (outcome.response) return;
    }
  };

  const runShopper = async (random: Random): Promise<void> => {
    const state = emptyShopperState();
    while (!stopping) {
      const { request, onSuccess } = planNext(shared, state, random);
      const outcome = recorder.record(request);
      await sendWithRetries(outcome, random);
      if (outcome.response) counts.answered++;
      if (outcome.response && outcome.response.status < 300) onSuccess(outcome.response);
      await pause();
    }
  };

  const finished = Promise.all(Array.from({ length: shoppers }, (_, shopper) => runShopper(createRandom(seed * 1_000 + shopper))));
  return {
    counts: () => ({ answered: counts.answered, cut: counts.cut, unavailable: counts.unavailable }),
    inFlight: () => counts.inFlight,
    repeated,
    stop: async () => {
      stopping = true;
      await finished;
    },
  };
};
