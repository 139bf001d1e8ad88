import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { CheckpointWaits } from '../../../../libs/runtime/projecting/checkpoint-waits.js';
import type { Clock } from '../../../../libs/eventsourcing/ports/clock.port.js';
import { checkpointOf, type Collection, type Documents } from '../../../../libs/eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../../../libs/eventsourcing/ports/event-store.port.js';
import { categoryOf } from '../../../../libs/eventsourcing/message.js';
import type { Projection } from '../../../../libs/eventsourcing/projection.js';
import type { OperatorDecisions } from '../../../../libs/runtime/operating/operator-state.js';
import { beforeReads } from './before-reads.js';
import { StaleReads } from './stale-reads.js';
import { fieldProblem, Problem } from '../problems/problem.js';

/** The response to a write has this header. A later read may send the header back (contract 10.3). */
const CONSISTENCY_TOKEN = 'consistency-token';

/** The maximum time in milliseconds that a read waits (contract 10.4). */
const READ_WAIT = 2_000;

/** Positions in the log, by category. */
type Positions = Map<string, number>;

/**
 * The log positions of a request. `written` has the positions of the events that the request appended, and `read` has those
 * of the events that it read. `required` has the positions in its Consistency-Token.
 */
type RequestPositions = { readonly written: Positions; readonly read: Positions; readonly required: Positions };

/**
 * Lets clients read their own writes, although read models lag behind the log (contract 10.2). The response
 * to a write has a token. A read with this token waits until its read model contains the write.
 */
export type Consistency = {
  /** The event store. Records the positions of the events that each request reads and appends. */
  readonly store: EventStore;
  /**
   * The read models. Before a method reads, it waits until its read model has reached the position in the request's token.
   * If the wait takes longer than 2 seconds, the method throws a 503 problem with the lag (contract 10.4).
   */
  readonly documents: Documents;
  /**
   * Runs the rest of a request, so that `store` and `documents` know it: a `preHandler` hook. Fails with a problem if the
   * request's token is invalid.
   */
  begin(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void;
  /**
   * Sets the token in the response to a write, also if the response is replayed. Returns a promise, which resolves when the
   * read models contain the write, or after `writeWaitMilliseconds`. Returns null for any other request. `isWrite` says whether
   * the request has asked for a change, which may be one that another request has made.
   */
  beforeSending(request: FastifyRequest, reply: FastifyReply, isWrite: boolean): Promise<void> | null;
};

type ConsistencyPorts = {
  readonly store: EventStore;
  /** Returns the position of the last event in the log. */
  readonly head: () => Promise<number>;
  readonly documents: Documents;
  readonly projections: readonly Projection[];
  /** Which read models are paused: nothing waits for them. */
  readonly decisions: Pick<OperatorDecisions, 'current' | 'isPaused'>;
  readonly clock: Clock;
  /** The maximum time in milliseconds that a write waits for its read models (contract 10.2). */
  readonly writeWaitMilliseconds: number;
};

/** Wraps an event store and its read models for read-your-writes consistency. */
export const createConsistency = (ports: ConsistencyPorts): Consistency => {
  const currentPositions = new AsyncLocalStorage<RequestPositions>();
  const positionsOf = new WeakMap<FastifyRequest, RequestPositions>();
  const stale = new StaleReads(ports.decisions, ports.projections);
  const readModels = new ReadModels(ports, stale);
  const nameEnd = nameEndOf(ports);
  return {
    store: recordPositions(ports.store, () => currentPositions.getStore()),
    documents: stale.documents(
      beforeReads((collection) => readModels.waitUntilReached(collection, currentPositions.getStore()?.required), ports.documents),
    ),
    begin(request, reply, done) {
      const required = readToken(request);
      if (required instanceof Problem) return done(required);
      const positions: RequestPositions = { written: new Map(), read: new Map(), required };
      positionsOf.set(request, positions);
      currentPositions.run(positions, () => stale.run(reply, done));
    },
    beforeSending(request, reply, isWrite) {
      const positions = positionsOf.get(request);
      if (!positions) return null;
      const written = readModels.seenBy(positions, reply.hasHeader('idempotent-replayed'));
      if (written.size === 0) return isWrite ? nameEnd(reply) : null;
      reply.header(CONSISTENCY_TOKEN, tokenOf(written));
      return readModels.waitUntilShown(written);
    },
  };
};

/**
 * Returns a function that sets a token which names the end of the log, for a write that has changed nothing: what it asks for was
 * there already, and the caller must be able to see it. Where in the log it stands is not known. Without the log there is no token.
 */
const nameEndOf = ({ head, projections }: ConsistencyPorts): ((reply: FastifyReply) => Promise<void>) => {
  const categories = [...new Set(projections.map(({ category }) => category))];
  return async (reply) => {
    const end = await head().catch(() => null);
    if (end !== null) reply.header(CONSISTENCY_TOKEN, tokenOf(new Map(categories.map((category) => [category, end]))));
  };
};

/** Waits for the checkpoints of read models. */
class ReadModels {
  private readonly waits: CheckpointWaits;
  /** The read model of the first projection of each category, by category. Writes wait for its checkpoint. */
  private readonly writeCheckpoints: ReadonlyMap<string, Collection>;
  /** Categories by collection name. */
  private readonly categories: ReadonlyMap<string, string>;

  constructor(
    private readonly ports: ConsistencyPorts,
    private readonly stale: StaleReads,
  ) {
    const { documents, projections, clock } = ports;
    this.waits = new CheckpointWaits(documents, clock);
    // A Map keeps the last entry of each category. In reverse order, the last entry is the category's first projection.
    this.writeCheckpoints = new Map(projections.toReversed().map(({ category, collection }) => [category, collection]));
    this.categories = new Map(projections.map(({ category, collection }) => [collection.name, category]));
  }

  /**
   * Waits until a collection has reached its position in `required`.
   * Throws a problem if the wait takes longer than `READ_WAIT`.
   */
  async waitUntilReached(collection: Collection, required: Positions | undefined): Promise<void> {
    const position = required?.get(this.categories.get(collection.name) ?? '');
    if (position === undefined || this.stale.isPaused(collection)) return;
    const checkpoint = checkpointOf(collection);
    if (await this.waits.waitFor(checkpoint, position, READ_WAIT)) return;
    if (this.stale.isPaused(collection)) return this.stale.note(collection);
    throw lagProblem(position, this.waits.lastKnown(checkpoint));
  }

  /**
   * Returns the positions that the response to a write shows: those that it has written, and those that it has read of other read
   * models. A background process may have appended the last event of a request before the request could, for example the placing of
   * its order. A repeated request reads what the original request appended (contract 10.3), and may itself append the rest. Empty for
   * a request that has written nothing and is no repetition.
   */
  seenBy({ written, read }: RequestPositions, isRepeated: boolean): Positions {
    if (written.size === 0 && !isRepeated) return written;
    const others = [...read].filter(([category]) => !written.has(category) && this.writeCheckpoints.has(category));
    return others.length > 0 ? new Map([...written, ...others]) : written;
  }

  /** Waits until the read models have reached the written positions, but at most for `writeWaitMilliseconds`. */
  async waitUntilShown(written: Positions): Promise<void> {
    await Promise.all(
      [...written].map(async ([category, position]) => {
        const collection = this.writeCheckpoints.get(category);
        if (!collection || this.stale.isPaused(collection)) return;
        await this.waits.waitFor(checkpointOf(collection), position, this.ports.writeWaitMilliseconds);
      }),
    );
  }
}

/** Wraps the log to record the positions that the current request reads and appends. */
const recordPositions = (store: EventStore, positions: () => RequestPositions | undefined): EventStore => ({
  async readStream(...args) {
    const events = await store.readStream(...args);
    for (const { stream, position } of events) record(positions()?.read, categoryOf(stream), position);
    return events;
  },
  readAll: (...args) => store.readAll(...args),
  subscribe: (...args) => store.subscribe(...args),
  async append(stream, expected, events) {
    const result = await store.append(stream, expected, events);
    if (result.kind === 'appended') record(positions()?.written, categoryOf(stream), result.position);
    return result;
  },
});

/** Records a position, if it is the highest of its category. Does nothing outside of a request. */
const record = (positions: Positions | undefined, category: string, position: number): void =>
  void positions?.set(category, Math.max(position, positions.get(category) ?? 0));

/** Builds a Consistency-Token, such as `pet=1234.order=1240`. */
const tokenOf = (written: Positions): string => [...written].map(([category, position]) => `${category}=${position}`).join('.');

/** Matches the Consistency-Token of at most ten categories. */
const TOKEN = /^[a-z]{1,20}=\d{1,16}(?:\.[a-z]{1,20}=\d{1,16}){0,9}$/;

const readToken = ({ headers }: FastifyRequest): Positions | Problem => {
  const sent = headers[CONSISTENCY_TOKEN];
  if (sent === undefined) return new Map();
  if (typeof sent !== 'string' || !TOKEN.test(sent)) {
    const message = 'must be the Consistency-Token of a response, unchanged';
    return fieldProblem('invalid-request', [{ field: 'Consistency-Token', code: 'INVALID_FORMAT', message }]);
  }
  return new Map(
    sent.split('.').map((part) => {
      const [category = '', position = ''] = part.split('=');
      return [category, Number(position)];
    }),
  );
};

/** Creates the 503 problem, with the lag if it is known (contract 10.4). */
const lagProblem = (position: number, seen: number | null): Problem => {
  const lag = seen === null ? 'its lag is unknown' : `it is ${position - seen} positions behind`;
  return new Problem(
    'temporarily-unavailable',
    `The read model has not reached the position of the Consistency-Token: ${lag}. Try again after the time in Retry-After.`,
    {
      headers: { 'retry-after': '1' },
    },
  );
};
