import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import { checkpointOf, type Documents, type StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import { StoreUnavailable, type EventStore, type StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { ReadCodec } from '../../eventsourcing/event-codec.js';
import { aggregateIdOf, categoryOf, type RecordedEvent } from '../../eventsourcing/message.js';
import { webhooksProjection } from '../../projections/webhooks.projection.js';
import { CheckpointWaits } from '../../runtime/projecting/checkpoint-waits.js';
import { trackOutages } from '../../runtime/following/outages.js';
import { readHistory } from '../../runtime/codec/verified-history.js';
import { createSerialQueue } from '../../eventsourcing/scheduling/serial-queue.js';
import type { OperatorDecisions } from '../../runtime/operating/operator-state.js';
import { BrokenHistory } from '../../eventsourcing/history.js';
import { HistoryReader } from '../../runtime/codec/history-reader.js';
import { createProjector } from '../../runtime/projecting/projector.js';
import { repeat } from '../../runtime/following/repeat.js';
import { endpointOf, endpointsOf, hasEndpoints, type Endpoint } from '../endpoints.js';

/** Finds the webhook endpoints that may have to receive an event. */
export type EndpointLookup = {
  /**
   * Returns the endpoints of a tenant, as they are at a log position or later. Rejects with StoreUnavailable if the lookup
   * does not reach that position in time.
   */
  of(tenant: string, position: number): Promise<readonly Endpoint[]>;
  /** Whether the read model contains any endpoint. */
  any(): Promise<boolean>;
};

/**
 * Reads the endpoints from the read model of the embedded profile. This read model never lags, because each append updates it in
 * the same transaction.
 */
export const storedEndpoints = (documents: Documents): EndpointLookup => ({
  of: (tenant) => endpointsOf(documents, tenant),
  any: () => hasEndpoints(documents),
});

type FollowOptions = {
  readonly store: Pick<EventStore, 'subscribe' | 'readStream'>;
  readonly documents: Pick<Documents, 'checkpoint' | 'find' | 'sum'>;
  readonly codec: ReadCodec;
  /** What operators have decided: which events of endpoints are skipped. */
  readonly decisions: Pick<OperatorDecisions, 'current' | 'onChange'>;
  readonly clock: Clock;
  /** Called with the first failure of each outage. */
  readonly onError: (error: unknown) => void;
};

/** Milliseconds that a look-up waits for the cache to reach the position. After that, it rejects. */
const MAX_WAIT = 10_000;
/** Milliseconds until the log is read again after a failure. */
const AFTER_FAILURE = 500;
/** The limit of the query for all endpoints. It exceeds the number of endpoints of all tenants. */
const MAX_ENDPOINTS = 100_000;
const { collection, category } = webhooksProjection;

/**
 * Caches the endpoints in memory, so that announcing an event needs no query. The cache begins with the endpoints of the read
 * model. It gets later changes from the log, because the read model may lag.
 */
export const followEndpoints = (options: FollowOptions): EndpointLookup & { stop(): Promise<void> } => {
  const { clock, onError } = options;
  const cache = new EndpointCache(options);
  // These waits poll the position of the cache, not a stored checkpoint.
  const waits = new CheckpointWaits({ checkpoint: async () => cache.position }, clock);
  const stopping = new AbortController();
  const outages = trackOutages(onError);
  const follow = async (): Promise<number> => {
    await cache.follow(stopping.signal, () => outages.reportRecovery());
    return AFTER_FAILURE;
  };
  const stop = repeat({
    clock,
    firstDelay: 0,
    work: follow,
    failureDelay: AFTER_FAILURE,
    onError: (error) => outages.reportFailure(error),
  });
  const endWatching = options.decisions.onChange(() => cache.refold().catch(onError));
  return {
    async of(tenant, position) {
      if (await waits.waitFor(checkpointOf(collection), position, MAX_WAIT)) return cache.of(tenant);
      throw new StoreUnavailable(`the webhook endpoints have not been read up to position ${position}`);
    },
    any: () => hasEndpoints(options.documents),
    stop() {
      endWatching();
      stopping.abort();
      return stop();
    },
  };
};

class EndpointCache {
  /** The last log position that was read; -1 before the first read. */
  position = -1;
  private documents = new Map<string, StoredDocument>();
  private readonly projector = createProjector(webhooksProjection);
  private readonly inTurn = createSerialQueue();
  /** The numbers of the requests with which streams were folded again. */
  private readonly refolded = new Map<string, number>();

  private readonly history: HistoryReader;

  constructor(private readonly parts: FollowOptions) {
    this.history = new HistoryReader(parts);
  }

  of(tenant: string): readonly Endpoint[] {
    return [...this.documents.values()].filter(({ fields }) => fields['tenant'] === tenant).map(endpointOf);
  }

  /** Applies new events to the cache. Resolves when `signal` aborts. */
  async follow(signal: AbortSignal, onRead: () => void): Promise<void> {
    if (this.position < 0) await this.load();
    for await (const { events } of this.parts.store.subscribe(this.position, signal)) {
      onRead();
      await this.refold();
      await this.inTurn(() => this.apply(events.filter(({ stream }) => categoryOf(stream) === category)));
      this.position = events.at(-1)?.position ?? this.position;
    }
  }

  /**
   * Loads the endpoints of the read model. Reads the position of the read model first, so that no event is missed. Events that
   * the documents already contain are read again and ignored.
   */
  private async load(): Promise<void> {
    const { documents } = this.parts;
    const position = await documents.checkpoint(checkpointOf(collection));
    const stored = await documents.find(collection, { where: {}, sort: ['-createdAt'], limit: MAX_ENDPOINTS, offset: 0 });
    this.documents = new Map(stored.map((document) => [document.key, document]));
    this.position = position;
  }

  /** Folds the endpoints again of which operators have skipped other events: the read model may not have done so yet. */
  refold(): Promise<void> {
    return this.inTurn(async () => {
      for (const [stream, number] of Object.entries(this.parts.decisions.current().refolds?.[webhooksProjection.name] ?? {})) {
        if (this.refolded.get(stream) === number) continue;
        await this.foldAgain(stream);
        this.refolded.set(stream, number);
      }
    });
  }

  private async foldAgain(stream: string): Promise<void> {
    const events = await readHistory(this.parts, stream).catch((error: unknown) => {
      if (error instanceof BrokenHistory) return [];
      throw error;
    });
    this.documents.delete(aggregateIdOf(stream));
    this.project(events);
  }

  /**
   * Applies events to the cache. As in the read model, the endpoint of a broken stream is removed, and an event that cannot be
   * projected changes nothing.
   */
  private async apply(stored: readonly StoredEvent[]): Promise<void> {
    const { events, faults } = await this.history.read(stored);
    for (const event of events) {
      try {
        this.project([event]);
      } catch (error) {
        this.parts.onError(error);
      }
    }
    for (const { stream } of faults) this.documents.delete(aggregateIdOf(stream));
  }

  private project(events: readonly RecordedEvent[]): void {
    const load = (key: string): StoredDocument | null => this.documents.get(key) ?? null;
    const { writes } = this.projector.project(events, load, () => false);
    for (const write of writes) {
      if (write.kind === 'put') this.documents.set(write.document.key, write.document);
      else if (write.kind === 'delete') this.documents.delete(write.key);
    }
  }
}
