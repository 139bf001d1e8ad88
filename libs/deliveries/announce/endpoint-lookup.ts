import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import { checkpointOf, type Documents, type StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import { StoreUnavailable, type EventStore, type StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { ReadCodec } from '../../eventsourcing/handle.js';
import { aggregateIdOf, categoryOf, type RecordedEvent } from '../../eventsourcing/message.js';
import { webhooksProjection } from '../../projections/webhooks.projection.js';
import { CheckpointWaits } from '../../runtime/projecting/checkpoint-waits.js';
import { outagesTo } from '../../runtime/following/outages.js';
import { HistoryReader } from '../../runtime/codec/history-reader.js';
import { createProjector } from '../../runtime/projecting/projector.js';
import { repeat } from '../../runtime/following/repeating.js';
import { endpointOf, endpointsOf, hasEndpoints, type Endpoint } from '../endpoints.js';

/** Who asks to hear of what. */
export type EndpointLookup = {
  /**
   * Every endpoint of a tenant: none is missing that was registered before that position of the log. Rejects with
   * StoreUnavailable when that cannot be said soon.
   */
  of(tenant: string, position: number): Promise<readonly Endpoint[]>;
  /** Whether there is any at all, as far as the read models show. */
  any(): Promise<boolean>;
};

/** Where the read model changes with the log, it says so itself. */
export const storedEndpoints = (documents: Documents): EndpointLookup => ({
  of: (tenant) => endpointsOf(documents, tenant),
  any: () => hasEndpoints(documents),
});

type FollowingEndpoints = {
  readonly store: Pick<EventStore, 'subscribe' | 'readStream'>;
  readonly documents: Pick<Documents, 'checkpoint' | 'find' | 'sum'>;
  readonly codec: ReadCodec;
  readonly clock: Clock;
  /** Told of the first failure of each outage. */
  readonly onError: (error: unknown) => void;
};

/** How long an event may be ahead of what is known, in milliseconds, before its announcement is put off. */
const PATIENCE = 10_000;
const AFTER_FAILURE = 500;
/** More than there are. */
const ALL = 100_000;
const { collection, category } = webhooksProjection;

/**
 * Where the read model follows at a distance, the endpoints are kept in memory and follow the log from where the read
 * model stands: announcing an event neither waits for the database nor reads it.
 */
export const followEndpoints = (following: FollowingEndpoints): EndpointLookup & { stop(): Promise<void> } => {
  const { clock, onError } = following;
  const known = new FollowedEndpoints(following);
  const waits = new CheckpointWaits({ checkpoint: async () => known.position }, clock);
  const stopping = new AbortController();
  const outages = outagesTo(onError);
  const follow = async (): Promise<number> => {
    await known.follow(stopping.signal, () => outages.over());
    return AFTER_FAILURE;
  };
  const stop = repeat({ clock, first: 0, work: follow, afterFailure: AFTER_FAILURE, onError: (error) => outages.failed(error) });
  return {
    async of(tenant, position) {
      if (await waits.reaches(checkpointOf(collection), position, PATIENCE)) return known.of(tenant);
      throw new StoreUnavailable(`the webhook endpoints are not yet known as of position ${position}`);
    },
    any: () => hasEndpoints(following.documents),
    stop() {
      stopping.abort();
      return stop();
    },
  };
};

class FollowedEndpoints {
  /** How far the log is known; -1 before the first look. */
  position = -1;
  private documents = new Map<string, StoredDocument>();
  private readonly projector = createProjector(webhooksProjection);

  private readonly history: HistoryReader;

  constructor(private readonly parts: FollowingEndpoints) {
    this.history = new HistoryReader(parts);
  }

  of(tenant: string): readonly Endpoint[] {
    return [...this.documents.values()].filter(({ fields }) => fields['tenant'] === tenant).map(endpointOf);
  }

  /** Resolves when `signal` aborts. */
  async follow(signal: AbortSignal, goingOn: () => void): Promise<void> {
    if (this.position < 0) await this.begin();
    for await (const { events } of this.parts.store.subscribe(this.position, signal)) {
      goingOn();
      await this.take(events.filter(({ stream }) => categoryOf(stream) === category));
      this.position = events.at(-1)?.position ?? this.position;
    }
  }

  /** The position first: what the documents show beyond it is passed over when it comes. */
  private async begin(): Promise<void> {
    const { documents } = this.parts;
    const position = await documents.checkpoint(checkpointOf(collection));
    const stored = await documents.find(collection, { where: {}, sort: ['-createdAt'], limit: ALL, offset: 0 });
    this.documents = new Map(stored.map((document) => [document.key, document]));
    this.position = position;
  }

  /** A broken stream has no endpoint any more, as in the read model; one whose event cannot be projected keeps it as it was. */
  private async take(stored: readonly StoredEvent[]): Promise<void> {
    const { events, faults } = await this.history.read(stored);
    for (const event of events) {
      try {
        this.project(event);
      } catch (error) {
        this.parts.onError(error);
      }
    }
    for (const { stream } of faults) this.documents.delete(aggregateIdOf(stream));
  }

  private project(event: RecordedEvent): void {
    const load = (key: string): StoredDocument | null => this.documents.get(key) ?? null;
    const { writes } = this.projector.project([event], load, () => false);
    for (const write of writes) {
      if (write.kind === 'put') this.documents.set(write.document.key, write.document);
      else if (write.kind === 'delete') this.documents.delete(write.key);
    }
  }
}
