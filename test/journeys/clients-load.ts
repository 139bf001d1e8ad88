/**
 * The next request of a client. `no answer`: the service has ended, so the client ends, too. `last`: it was answered, and the client
 * has no other.
 */
export type NextRequest = () => Promise<'answered' | 'no answer' | 'last'>;

/** Clients that send requests. */
export type Load = {
  /** Resolves as soon as `count` requests are sent, or, if `what` is `answered`, have a response. */
  after(count: number, what: 'sent' | 'answered'): Promise<void>;
  /** The number of requests in flight. */
  inFlight(): number;
  answered(): number;
  /** Sends no further requests. Resolves when every client has stopped. */
  stop(): Promise<void>;
  /** Resolves when every client has stopped: after `stop`, or when the service no longer responds. Rejects if one of them fails. */
  readonly finished: Promise<void>;
};

/** Starts clients. Each sends one request after another. */
export const startClients = (clients: readonly NextRequest[]): Load => {
  const counts = { sent: 0, answered: 0, unanswered: 0 };
  const waiting = new Set<{ what: 'sent' | 'answered'; count: number; reached: () => void }>();
  let stopping = false;

  const count = (what: 'sent' | 'answered'): void => {
    counts[what]++;
    for (const wait of waiting) if (wait.what === what && counts[what] >= wait.count && waiting.delete(wait)) wait.reached();
  };

  const run = async (next: NextRequest): Promise<void> => {
    while (!stopping) {
      const answering = next();
      count('sent');
      const end = await answering;
      if (end === 'no answer') return void counts.unanswered++;
      count('answered');
      if (end === 'last') return;
    }
  };

  const finished = Promise.all(clients.map(run)).then(() => undefined);
  return {
    after: (number, what) =>
      counts[what] >= number ? Promise.resolve() : new Promise((reached) => void waiting.add({ what, count: number, reached })),
    inFlight: () => counts.sent - counts.answered - counts.unanswered,
    answered: () => counts.answered,
    finished,
    stop: () => {
      stopping = true;
      return finished;
    },
  };
};
