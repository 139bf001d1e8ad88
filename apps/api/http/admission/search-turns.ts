import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerKey } from './request-counter.js';
import { Problem } from '../problems/problem.js';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** The limits of searches in this process (contract 26.1). */
export type SearchLimits = {
  /** How many searches run at the same time. */
  readonly searchesAtOnce: number;
  /** How many searches wait for their turn. */
  readonly waitingSearches: number;
  /** How many searches of one caller wait. */
  readonly waitingSearchesOfCaller: number;
};

/**
 * Lets searches run in turn by caller, so that a caller with many searches delays only its own. Few run at the same time, because
 * their responses keep the main thread busy. A search that would exceed the limits is rejected.
 */
export class SearchTurns {
  /** The searches that wait, by caller. The caller at the front is next, and then goes to the end. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private running = 0;

  constructor(private readonly limits: SearchLimits) {}

  /** Wraps the handler of a search. */
  wrap(handler: Handler): Handler {
    return (request, reply) => this.run(callerKey(request, request.call.caller), () => handler(request, reply));
  }

  /** Runs a search in its turn. Rejects with a 503 problem if too many are waiting. */
  async run<Result>(caller: string, search: () => Promise<Result>): Promise<Result> {
    if (this.running < this.limits.searchesAtOnce) this.running++;
    else await this.waitForTurn(caller);
    try {
      return await search();
    } finally {
      this.passOn();
    }
  }

  private waitForTurn(caller: string): Promise<void> {
    const ofCaller = this.waiting.get(caller) ?? [];
    const waiting = [...this.waiting.values()].reduce((sum, searches) => sum + searches.length, 0);
    if (waiting >= this.limits.waitingSearches || ofCaller.length >= this.limits.waitingSearchesOfCaller)
      throw new Problem('temporarily-unavailable', 'Too many searches are waiting. Try again after the time in Retry-After.');
    return new Promise((resolve) => {
      ofCaller.push(resolve);
      this.waiting.set(caller, ofCaller);
    });
  }

  /** Gives the place of a finished search to the first search of the next caller. */
  private passOn(): void {
    const [next] = this.waiting;
    if (!next) return void this.running--;
    const [caller, [start, ...others]] = next as [string, [() => void, ...(() => void)[]]];
    this.waiting.delete(caller);
    if (others.length > 0) this.waiting.set(caller, others);
    start();
  }
}
