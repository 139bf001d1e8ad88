import type { Answer, Call } from '../../servers/calling.js';

/** The requests since the last `reset`. An attempt that is repeated counts each time. */
export type CallCounts = {
  /** Changes with a successful answer. */
  readonly acknowledged: number;
  /** Answers 503 with `Retry-After`. */
  readonly unavailable: number;
  /** Attempts without an answer. */
  readonly unanswered: number;
  /** Answers 5xx that are not 503 with `Retry-After`. */
  readonly serverErrors: readonly string[];
  /** The longest time without an acknowledged change, in milliseconds. */
  readonly longestSilence: number;
};

type Kind = 'read' | 'write';

/** Observes the requests to all APIs. */
export type ObservedCalls = {
  /** Returns a client that is observed. `name` is the API. */
  observe(name: string, call: Call): Call;
  counts(): CallCounts;
  reset(): void;
  /**
   * Returns the milliseconds from `since` until every API had answered a read and a change that were sent
   * later, or null if one of them has not yet.
   */
  recoveredAfter(since: number): number | null;
  /** Returns the milliseconds from `since` until the last attempt that failed; 0 if none did. */
  lastFailureAfter(since: number): number;
};

/** An API that is cut off gives no answer, and a connection to a removed container does not end. */
const ANSWERED_WITHIN = 12_000;

const MAX_ERRORS = 20;

/** Rejects when the answer does not come in time. */
const inTime = async (answer: Promise<Answer>): Promise<Answer> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ANSWERED_WITHIN} ms`)), ANSWERED_WITHIN);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
};

const isUnavailable = ({ status, headers }: Answer): boolean => status === 503 && headers['retry-after'] !== undefined;

/** Creates an observer. Times are of `performance.now()`. */
export const observeCalls = (): ObservedCalls => {
  let counts = { acknowledged: 0, unavailable: 0, unanswered: 0, serverErrors: [] as string[] };
  let [lastAcknowledged, longestSilence, lastFailure] = [performance.now(), 0, 0];
  /** When each API answered: the first answer to a request that was sent after each time is searched here. */
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
      // Any conclusive answer shows that the API works: 404 and 409 are answers to races between requests.
      const answer = await inTime(call(method, path, options)).catch((error: unknown) => {
        fail('unanswered');
        throw error;
      });
      if (isUnavailable(answer)) fail('unavailable');
      else if (answer.status >= 500) failWithError(`${name}: ${method} ${path} answered ${answer.status}: ${answer.text.slice(0, 300)}`);
      else recordSuccess(name, kind, sent);
      if (kind === 'write' && answer.status < 300) acknowledge();
      return answer;
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
