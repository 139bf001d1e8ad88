import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { callerKey } from './request-counter.js';
import { Problem } from '../problems/problem.js';

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

  /** Lets a server's requests have turns. */
  static on(server: FastifyInstance, limits: SearchLimits): SearchTurns {
    server.decorateRequest('hasTurn', false);
    return new SearchTurns(limits);
  }

  /** Waits for the turn of a search, as its last `preHandler` hook. Fails with a 503 problem if too many are waiting. */
  begin(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
    const proceed = (): void => {
      // The time of the handler ended while the search waited. Nothing more is sent, so nothing would end its turn.
      if (reply.sent) return this.passOn();
      request.hasTurn = true;
      done();
    };
    try {
      const turn = this.take(callerKey(request, request.call.caller));
      if (turn) void turn.then(proceed);
      else proceed();
    } catch (problem) {
      done(problem as Problem);
    }
  }

  /**
   * Ends the turn of a search, in `onSend`: also a search whose client has gone sends its answer, but not before it ends. A client
   * that ends its requests early thus has no more searches at once than any other. A second call does nothing.
   */
  end(request: FastifyRequest): void {
    if (!request.hasTurn) return;
    request.hasTurn = false;
    this.passOn();
  }

  /** Takes a turn. Returns null if it is free, or a promise that resolves when it is. Throws a 503 problem if too many are waiting. */
  take(caller: string): Promise<void> | null {
    if (this.running >= this.limits.searchesAtOnce) return this.waitForTurn(caller);
    this.running++;
    return null;
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
  passOn(): void {
    const [next] = this.waiting;
    if (!next) return void this.running--;
    const [caller, [start, ...others]] = next as [string, [() => void, ...(() => void)[]]];
    this.waiting.delete(caller);
    if (others.length > 0) this.waiting.set(caller, others);
    start();
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the request is a search that has its turn. */
    hasTurn: boolean;
  }
}
