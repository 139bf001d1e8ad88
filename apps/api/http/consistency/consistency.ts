import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CheckpointWaits } from '../../../../libs/runtime/projecting/checkpoint-waits.js';
import type { Clock } from '../../../../libs/eventsourcing/ports/clock.port.js';
import { checkpointOf, type Collection, type Documents } from '../../../../libs/eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../../../libs/eventsourcing/ports/event-store.port.js';
import { categoryOf } from '../../../../libs/eventsourcing/message.js';
import type { Projection } from '../../../../libs/eventsourcing/projection.js';
import { fieldProblem, Problem } from '../problems/problem.js';

/** What a write answers and a later read may send. */
const CONSISTENCY_TOKEN = 'consistency-token';

/** A read waits this long for what its token names. */
const READ_WAIT = 2_000;

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** How far the log was written, by category of streams. */
type Positions = Map<string, number>;

/** What one request has written, what it has read of the log, and what it wants to see. */
type Trail = { readonly written: Positions; readonly seen: Positions; readonly wanted: Positions };

/**
 * "Read your writes": where read models follow the log at a distance, who writes learns how far to wait for
 * them.
 */
export type Consistency = {
  /** The log, noting what each request appends. */
  readonly store: EventStore;
  /**
   * The read models; a read waits for what its request wants to see, and answers 503 with the lag when that
   * takes too long.
   */
  readonly documents: Documents;
  /** Runs a handler with its request's trail. Throws a problem when the token that was sent is none. */
  around(handler: Handler): Handler;
  /**
   * To be awaited before an answer is sent: waits for what the request wrote, and hands out a token. Null
   * when it wrote nothing, and repeats no write.
   */
  beforeSending(request: FastifyRequest, reply: FastifyReply): Promise<void> | null;
};

type ConsistencyPorts = {
  readonly store: EventStore;
  readonly documents: Documents;
  readonly projections: readonly Projection[];
  readonly clock: Clock;
  /** How long a write waits for its own read model, at most. */
  readonly writeWaitMilliseconds: number;
};

/** Where read models follow at a distance. */
export const createConsistency = (ports: ConsistencyPorts): Consistency => {
  const trails = new AsyncLocalStorage<Trail>();
  const trailOf = new WeakMap<FastifyRequest, Trail>();
  const readModels = new ReadModels(ports);
  return {
    store: notingStore(ports.store, () => trails.getStore()),
    documents: readingAfter((collection) => readModels.waitToRead(collection, trails.getStore()?.wanted), ports.documents),
    around: (handler) => async (request, reply) => {
      const trail: Trail = { written: new Map(), seen: new Map(), wanted: wantedBy(request) };
      trailOf.set(request, trail);
      await trails.run(trail, () => handler(request, reply));
    },
    beforeSending(request, reply) {
      const trail = trailOf.get(request);
      // What an earlier request with the same key wrote, this one has read: its answer is that of a write
      // all the same.
      const written = reply.hasHeader('idempotent-replayed') ? trail?.seen : trail?.written;
      if (!written || written.size === 0) return null;
      reply.header(CONSISTENCY_TOKEN, tokenOf(written));
      return readModels.waitToShow(written);
    },
  };
};

/** How far read models are, and waiting for them. */
class ReadModels {
  private readonly waits: CheckpointWaits;
  /** By category: the checkpoint of its first listed projection, which writes wait for. */
  private readonly writeCheckpoints: ReadonlyMap<string, string>;
  /** By collection name. */
  private readonly categories: ReadonlyMap<string, string>;

  constructor(private readonly ports: ConsistencyPorts) {
    const { documents, projections, clock } = ports;
    this.waits = new CheckpointWaits(documents, clock);
    this.writeCheckpoints = new Map(projections.toReversed().map(({ category, collection }) => [category, checkpointOf(collection)]));
    this.categories = new Map(projections.map(({ category, collection }) => [collection.name, category]));
  }

  /**
   * Waits until a collection shows what a request wants to see. Rejects with a problem when that takes too
   * long.
   */
  async waitToRead(collection: Collection, wanted: Positions | undefined): Promise<void> {
    const position = wanted?.get(this.categories.get(collection.name) ?? '');
    if (position === undefined) return;
    const checkpoint = checkpointOf(collection);
    if (await this.waits.waitFor(checkpoint, position, READ_WAIT)) return;
    throw behind(position, this.waits.lastKnown(checkpoint));
  }

  /** Waits until what was written is shown, but no longer than a write waits. */
  async waitToShow(written: Positions): Promise<void> {
    await Promise.all(
      [...written].map(async ([category, position]) => {
        const checkpoint = this.writeCheckpoints.get(category);
        if (checkpoint !== undefined) await this.waits.waitFor(checkpoint, position, this.ports.writeWaitMilliseconds);
      }),
    );
  }
}

/** The log, noting on a request's trail what it reads and appends. */
const notingStore = (store: EventStore, trail: () => Trail | undefined): EventStore => ({
  async readStream(...asked) {
    const events = await store.readStream(...asked);
    for (const { stream, position } of events) note(trail()?.seen, categoryOf(stream), position);
    return events;
  },
  readAll: (...asked) => store.readAll(...asked),
  subscribe: (...asked) => store.subscribe(...asked),
  async append(stream, expected, events) {
    const result = await store.append(stream, expected, events);
    if (result.kind === 'appended') note(trail()?.written, categoryOf(stream), result.position);
    return result;
  },
});

const note = (positions: Positions | undefined, category: string, position: number): void =>
  void positions?.set(category, Math.max(position, positions.get(category) ?? 0));

/** As `pet=1234.order=1240`. */
const tokenOf = (written: Positions): string => [...written].map(([category, position]) => `${category}=${position}`).join('.');

const TOKEN = /^[a-z]{1,20}=\d{1,16}(?:\.[a-z]{1,20}=\d{1,16}){0,9}$/;

const wantedBy = ({ headers }: FastifyRequest): Positions => {
  const sent = headers[CONSISTENCY_TOKEN];
  if (sent === undefined) return new Map();
  if (typeof sent !== 'string' || !TOKEN.test(sent)) {
    const message = 'must be what a write has answered, as it is';
    throw fieldProblem('invalid-request', [{ field: 'Consistency-Token', code: 'INVALID_FORMAT', message }]);
  }
  return new Map(
    sent.split('.').map((part) => {
      const [category = '', position = ''] = part.split('=');
      return [category, Number(position)];
    }),
  );
};

/** "Answers 503 with Retry-After and the lag", where the lag can be said. */
const behind = (position: number, seen: number | null): Problem => {
  const lag =
    seen === null ? 'how far behind the read model is cannot be said now' : `the read model is ${position - seen} positions behind`;
  return new Problem('temporarily-unavailable', `What was written is not to be read yet: ${lag}. Try again soon.`, {
    headers: { 'retry-after': '1' },
  });
};

const readingAfter = (wait: (collection: Collection) => Promise<void>, documents: Documents): Documents => ({
  prepare: (...asked) => documents.prepare(...asked),
  get: (collection, key) => wait(collection).then(() => documents.get(collection, key)),
  find: (collection, find) => wait(collection).then(() => documents.find(collection, find)),
  texts: (collection, find) => wait(collection).then(() => documents.texts(collection, find)),
  count: (collection, where) => wait(collection).then(() => documents.count(collection, where)),
  sum: (collection, where, by) => wait(collection).then(() => documents.sum(collection, where, by)),
  apply: (...asked) => documents.apply(...asked),
  checkpoint: (...asked) => documents.checkpoint(...asked),
  clear: (...asked) => documents.clear(...asked),
});
