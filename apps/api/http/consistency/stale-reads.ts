import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyReply, HookHandlerDoneFunction } from 'fastify';
import type { Collection, Documents } from '../../../../libs/eventsourcing/ports/documents.port.js';
import type { Projection } from '../../../../libs/eventsourcing/projection.js';
import type { OperatorDecisions } from '../../../../libs/runtime/operating/operator-state.js';

/** Responses that show a paused read model have this header (contract 43.5). */
const HEADER = 'consistency';

/**
 * Says in responses that they show a paused read model, which may lack events. While nothing is paused, a request costs one look at
 * the decisions.
 */
export class StaleReads {
  private readonly replies = new AsyncLocalStorage<FastifyReply>();
  /** The names of projections by those of their collections. */
  private readonly names: ReadonlyMap<string, string>;

  constructor(
    private readonly decisions: Pick<OperatorDecisions, 'current' | 'isPaused'>,
    projections: readonly Pick<Projection, 'name' | 'collection'>[],
  ) {
    this.names = new Map(projections.map(({ name, collection }) => [collection.name, name]));
  }

  isPaused(collection: Pick<Collection, 'name'>): boolean {
    const name = this.names.get(collection.name);
    return name !== undefined && this.decisions.isPaused(name);
  }

  /** Runs the rest of a request, so that `documents` knows its response: a `preHandler` hook. */
  begin(reply: FastifyReply, done: HookHandlerDoneFunction): void {
    if (this.decisions.current().paused) this.replies.run(reply, done);
    else done();
  }

  /** Wraps documents, so that a read of a paused read model sets the header in the response of the current request. */
  documents(documents: Documents): Documents {
    const note = (collection: Collection): Documents => {
      if (this.decisions.current().paused && this.isPaused(collection)) this.setHeader();
      return documents;
    };
    return {
      prepare: (...args) => documents.prepare(...args),
      get: (collection, key) => note(collection).get(collection, key),
      find: (collection, find) => note(collection).find(collection, find),
      texts: (collection, find) => note(collection).texts(collection, find),
      count: (collection, where) => note(collection).count(collection, where),
      sum: (collection, where, by) => note(collection).sum(collection, where, by),
      apply: (...args) => documents.apply(...args),
      use: (...args) => documents.use(...args),
      checkpoint: (...args) => documents.checkpoint(...args),
      clear: (...args) => documents.clear(...args),
    };
  }

  private setHeader(): void {
    const reply = this.replies.getStore();
    // The first bytes of a stream may already be sent.
    if (reply && !reply.raw.headersSent) reply.header(HEADER, 'stale');
  }
}
