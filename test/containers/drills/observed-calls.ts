import type { JsonResponse, Call } from '../../servers/calling.js';

/** The counts of requests since the last `reset`. Each attempt of a repeated request counts. */
export type CallCounts = {
  /** Changes with a successful response. */
  readonly acknowledged: number;
  /** Responses 503 with `Retry-After`. */
  readonly unavailable: number;
  /** Attempts without a response. */
  readonly unanswered: number;
  /** A line for each response 5xx that is not 503 with `Retry-After`. */
  readonly serverErrors: readonly string[];
  /** The longest time without an acknowledged change, in milliseconds. */
  readonly longestSilence: number;
};

type Kind = 'read' | 'write';

/** Counts the requests to all APIs, and records when they succeeded or failed. */
export type ObservedCalls = {
  /** Returns a client whose requests are observed. `name` names the API in messages. */
  observe(name: string, call: Call): Call;
  counts(): CallCounts;
  reset(): void;
  /**
   * Returns the milliseconds from `since` until every API had answered a read and a change that were sent
   * after `since`. Returns null if an API has not yet answered both.
   */
  recoveredAfter(since: number): number | null;
  /** Returns the milliseconds from `since` until the last failed attempt, or 0 if no attempt has failed. */
  lastFailureAfter(since: number): number;
};

/**
 * Milliseconds after which a request counts as unanswered. Without this limit, a request to an API that is cut off, or to a
 * removed container, would never end.
 */
const ANSWERED_WITHIN = 12_000;

const MAX_ERRORS = 20;

/** Rejects if the response does not arrive within ANSWERED_WITHIN milliseconds. */
const inTime = async (response: Promise<JsonResponse>): Promise<JsonResponse> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${ANSWERED_WITHIN} ms`)), ANSWERED_WITHIN);
  });
  try {
    return await Promise.race([response, late]);
  } finally {
    clearTimeout(timer);
  }
};

const isUnavailable = ({ status, headers }: JsonResponse): boolean => status === 503 && headers['retry-after'] !== undefined;

/** Creates an observer of requests. All times are those of `performance.now()`. */
export const observeCalls = (): ObservedCalls => {
  let counts = { acknowledged: 0, unavailable: 0, unanswered: 0, serverErrors: [] as string[] };
  let [lastAcknowledged, longestSilence, lastFailure] = [performance.now(), 0, 0];
  /** For each API, its newest 200 reads and newest 200 writes that succeeded. `recoveredAfter` searches them. */
  const successes = new Map<string, { readonly sent: number; readonly answered: number }[]>();

  const recordSuccess = (name: string, kind: Kind, sent: number): void => {
    const key = `${name} ${kind}`;
    successes.set(key, [...(successes.get(key) ?? []).slice(-200), { sent, answered: performance.now() }]);
  };
  const silence = (): number => Math.max(longestSilence, performance.now() - lastAcknowledged);
  const acknowledge = (): void => {
    counts.acknowledged++;
    longestSilence = silence();
    lastAcknowledged = performance.now();
  };
  const fail = (what: 'unavailable' | 'unanswered'): void => {
    lastFailure = performance.now();
    counts[what]++;
  };
  const failWithError = (error: string): void => {
    lastFailure = performance.now();
    if (counts.serverErrors.length < MAX_ERRORS) counts.serverErrors.push(error);
  };

  return {
    observe: (name, call) => async (method, path, options) => {
      const kind: Kind = method === 'GET' ? 'read' : 'write';
      const sent = performance.now();
      // Every response below 500 shows that the API works: races between requests cause 404 and 409.
      const response = await inTime(call(method, path, options)).catch((error: unknown) => {
        fail('unanswered');
        throw error;
      });
      if (isUnavailable(response)) fail('unavailable');
      else if (response.status >= 500)
        failWithError(`${name}: ${method} ${path} answered ${response.status}: ${response.text.slice(0, 300)}`);
      else recordSuccess(name, kind, sent);
      if (kind === 'write' && response.status < 300) acknowledge();
      return response;
    },
    counts: () => ({ ...counts, longestSilence: Math.round(silence()) }),
    reset() {
      counts = { acknowledged: 0, unavailable: 0, unanswered: 0, serverErrors: [] };
      [lastAcknowledged, longestSilence, lastFailure] = [performance.now(), 0, 0];
      for (const key of successes.keys()) successes.set(key, []);
    },
    recoveredAfter(since) {
      const firsts = [...successes.values()].map((list) => list.find(({ sent }) => sent >= since)?.answered ?? null);
      if (firsts.length === 0 || firsts.includes(null)) return null;
      return Math.round(Math.max(...firsts.map((answered) => answered ?? 0)) - since);
    },
    lastFailureAfter: (since) => Math.max(0, Math.round(lastFailure - since)),
  };
};
