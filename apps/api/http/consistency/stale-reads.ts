import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyReply, HookHandlerDoneFunction } from 'fastify';
import type { Collection, Documents } from '../../../../libs/eventsourcing/ports/documents.port.js';
import type { Projection } from '../../../../libs/eventsourcing/projection.js';
import { beforeReads } from './before-reads.js';
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
    /** The projections that were paused and have not caught up since. */
    private readonly resuming: ReadonlySet<string> = new Set(),
  ) {
    this.names = new Map(projections.map(({ name, collection }) => [collection.name, name]));
  }

  isPaused(collection: Pick<Collection, 'name'>): boolean {
    const name = this.names.get(collection.name);
    return name !== undefined && this.decisions.isPaused(name);
  }

  /** Runs the rest of a request, so that `documents` knows its response: a `preHandler` hook. */
  begin(reply: FastifyReply, done: HookHandlerDoneFunction): void {
    if (this.mayBeStale()) this.run(reply, done);
    else done();
  }

  /** Like `begin`, also for a request that waits and may then read what was paused meanwhile. */
  run(reply: FastifyReply, done: HookHandlerDoneFunction): void {
    this.replies.run(reply, done);
  }

  /** Sets the header in the response of the current request, if the read model is paused. */
  note(collection: Pick<Collection, 'name'>): void {
    const name = this.mayBeStale() ? this.names.get(collection.name) : undefined;
    if (name !== undefined && (this.decisions.isPaused(name) || this.resuming.has(name))) this.setHeader();
  }

  /** Wraps documents, so that a read of a paused read model sets the header in the response of the current request. */
  documents(documents: Documents): Documents {
    return beforeReads((collection) => this.note(collection), documents);
  }

  private mayBeStale(): boolean {
    return this.decisions.current().paused !== undefined || this.resuming.size > 0;
  }

  private setHeader(): void {
    const reply = this.replies.getStore();
    // The first bytes of a stream may already be sent.
    if (reply && !reply.raw.headersSent) reply.header(HEADER, 'stale');
  }
}
