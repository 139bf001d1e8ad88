import { createRandom } from '../../../apps/petstore/seeding/sample-pets.js';
import { caller, type Answer, type Call } from '../../servers/calling.js';
import { nothingYet, perform, planNext, type Market, type Random } from '../shoppers.js';
import type { Deed, Outcome, Witness } from '../request-recorder.js';

type ClusterLoadOptions = {
  /** The apis, any of which may be gone for a while. */
  readonly urls: readonly string[];
  readonly token: string;
  readonly shoppers: number;
  /** The same seed makes the same choices; what the machine's timing makes of them differs. */
  readonly seed: number;
  readonly witness: Witness;
  readonly market: Market;
};

/** What the load has met. */
export type Met = {
  /** Deeds with an answer that says what became of them. */
  readonly answered: number;
  /** Requests whose connection ended before an answer. */
  readonly cut: number;
  /** Requests that were answered 503 with Retry-After. */
  readonly unavailable: number;
};

/** Shoppers at several apis, who go on whatever happens to one of them. */
export type ClusterLoad = {
  met(): Met;
  /** How many requests are under way now. */
  inFlight(): number;
  /** Deeds that were asked for more than once, with the same key, until an answer came. */
  readonly repeated: readonly Outcome[];
  /** Takes up nothing new; resolves when every shopper has gone. */
  stop(): Promise<void>;
};

/** Between two deeds of a shopper, and before one is asked for again. People are slower; a server that is down is not to be flooded. */
const PAUSE = 25;
/** An unknown outcome is asked again so often, and then left to the audit. */
const TRIES = 200;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE));

/** Lets shoppers loose on several apis, each one deed after the other, each deed at any of them, until they are stopped. */
export const startClusterLoad = ({ urls, token, shoppers, seed, witness, market }: ClusterLoadOptions): ClusterLoad => {
  const calls = urls.map((url) => caller(url, token));
  const counts = { answered: 0, cut: 0, unavailable: 0, inFlight: 0 };
  const repeated: Outcome[] = [];
  let stopping = false;

  /** Null when nobody knows what became of it: no answer came, or one that says to try again later. */
  const attempt = async (call: Call, deed: Deed): Promise<Answer | null> => {
    counts.inFlight++;
    try {
      const answer = await perform(call, deed);
      // "503 carries Retry-After"; one that does not is an answer like any other, and the witness will wonder.
      if (answer.status !== 503 || answer.headers['retry-after'] === undefined) return answer;
      counts.unavailable++;
    } catch {
      counts.cut++;
    } finally {
      counts.inFlight--;
    }
    return null;
  };

  /** With a key it may be asked for again, at any api; without one nobody knows. */
  const ask = async (outcome: Outcome, random: Random): Promise<void> => {
    const tries = outcome.deed.idempotencyKey === undefined ? 1 : TRIES;
    for (let count = 1; count <= tries; count++) {
      if (count === 2) repeated.push(outcome);
      if (count > 1) await pause();
      const call = calls[Math.floor(random() * calls.length)];
      outcome.answer = call ? await attempt(call, outcome.deed) : null;
      if (outcome.answer) return;
    }
  };

  const shop = async (random: Random): Promise<void> => {
    const mine = nothingYet();
    while (!stopping) {
      const { deed, then } = planNext(market, mine, random);
      const outcome = witness.sent(deed);
      await ask(outcome, random);
      if (outcome.answer) counts.answered++;
      if (outcome.answer && outcome.answer.status < 300) then(outcome.answer);
      await pause();
    }
  };

  const over = Promise.all(Array.from({ length: shoppers }, (_, shopper) => shop(createRandom(seed * 1_000 + shopper))));
  return {
    met: () => ({ answered: counts.answered, cut: counts.cut, unavailable: counts.unavailable }),
    inFlight: () => counts.inFlight,
    repeated,
    stop: async () => {
      stopping = true;
      await over;
    },
  };
};
