import type { Collection, Documents, DocumentWrite, StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import type { Work } from '../../eventsourcing/ports/work-queue.port.js';
import type { Delivery } from '../delivery.js';
import { laneOfEndpoint } from '../dispatch/lanes.js';

/**
 * The queue of the short work: to redeliver one delivery, or to release an endpoint's waiting deliveries. Each endpoint is a
 * lane (see `Work.lane`).
 */
export const REDELIVERIES_QUEUE = 'redeliveries';
/** The queue of redeliveries of time ranges. They take long, so other redeliveries must not wait for them. */
export const RANGES_QUEUE = 'redeliveries-of-stretches';

/** A request to redeliver the events of a time range to an endpoint, with its progress. */
export type Redelivery = {
  readonly id: string;
  readonly tenant: string;
  readonly webhookId: string;
  /** The time range, in ISO 8601. Both ends are inclusive. */
  readonly since: string;
  readonly until: string;
  readonly createdAt: string;
  readonly status: 'running' | 'done';
  /** The number of deliveries sent so far. */
  readonly deliveries: number;
  /** The log position reached so far; null before the first page. */
  readonly position: number | null;
  /** The digest of the request body. A later request with the same Idempotency-Key must have the same digest. */
  readonly bodyDigest?: string;
};

/**
 * The data of redelivery work. `one`: a single delivery. `stretch`: a time range. `release`: an endpoint
 * whose waiting deliveries are released.
 */
export type RedeliveryWork =
  /** `stored`: the delivery as it was when the redelivery was accepted. It may be deleted before the work starts. */
  | { readonly kind: 'one'; readonly delivery: string; readonly redeliveryId: string; readonly stored?: Delivery }
  | { readonly kind: 'stretch'; readonly made: Redelivery }
  | { readonly kind: 'release'; readonly webhookId: string };

/** All redeliveries of time ranges. */
export const REDELIVERIES: Collection = {
  name: 'redeliveries',
  version: 1,
  fields: { tenant: 'text', owner: 'text', status: 'text' },
  indexes: [['owner', 'status']],
  cells: [],
};

/** The running redeliveries by endpoint id, so that an endpoint has at most one running redelivery (contract 20.12). */
export const RUNNING_REDELIVERIES: Collection = { name: 'running_redeliveries', version: 1, fields: {}, indexes: [], cells: [] };

/** Builds the work of a redelivery request. */
export const redeliveryWork = (id: string, lane: string, request: RedeliveryWork): Work => ({
  queue: request.kind === 'stretch' ? RANGES_QUEUE : REDELIVERIES_QUEUE,
  id,
  lane,
  data: JSON.stringify(request),
});

/** Builds the work of a redelivery of a time range. */
export const rangeWork = (made: Redelivery): Work =>
  redeliveryWork(made.id, laneOfEndpoint({ tenant: made.tenant, id: made.webhookId }), { kind: 'stretch', made });

/**
 * The size of a page of running redeliveries. If there are more, a later call of `findRunningPage` finds
 * them.
 */
const PAGE = 500;

/** A redelivery with its stored revision. */
export type StoredRedelivery = { readonly redelivery: Redelivery; readonly revision: number };

/** Stores the redeliveries of time ranges. */
export class RedeliveryStore {
  constructor(private readonly documents: Documents) {}

  /** Finds a redelivery with its revision, or null. */
  async find(id: string): Promise<StoredRedelivery | null> {
    const document = await this.documents.get(REDELIVERIES, id);
    return document && { redelivery: JSON.parse(document.json) as Redelivery, revision: document.revision };
  }

  /** Starts a redelivery; returns null when its endpoint already has a running one. */
  async start(redelivery: Redelivery): Promise<StoredRedelivery | null> {
    const running = { key: redelivery.webhookId, json: JSON.stringify(redelivery), fields: {}, revision: 0 };
    const started = await this.documents.apply([
      { kind: 'put', collection: REDELIVERIES, document: redeliveryDocument(redelivery, 0), expected: 'none' },
      { kind: 'put', collection: RUNNING_REDELIVERIES, document: running, expected: 'none' },
    ]);
    return started ? { redelivery, revision: 0 } : null;
  }

  /** Finds the running redelivery of an endpoint as it was when it started, or null. */
  async findRunning(webhookId: string): Promise<Redelivery | null> {
    const document = await this.documents.get(RUNNING_REDELIVERIES, webhookId);
    return document && (JSON.parse(document.json) as Redelivery);
  }

  /** Finds a page of running redeliveries as they were when they started. */
  async findRunningPage(): Promise<readonly Redelivery[]> {
    const found = await this.documents.find(RUNNING_REDELIVERIES, { where: {}, sort: [], limit: PAGE, offset: 0 });
    return found.map(({ json }) => JSON.parse(json) as Redelivery);
  }

  /** Stores a redelivery unless a redelivery with its id exists. Returns the stored redelivery. */
  async putNew(redelivery: Redelivery): Promise<StoredRedelivery> {
    const document = redeliveryDocument(redelivery, 0);
    if (await this.documents.apply([{ kind: 'put', collection: REDELIVERIES, document, expected: 'none' }]))
      return { redelivery, revision: 0 };
    return (await this.find(redelivery.id)) ?? { redelivery, revision: 0 };
  }

  /**
   * Replaces a redelivery, and returns the new value. Stores nothing if another process that does the same work has already
   * replaced it. After the status `done`, the endpoint can have another redelivery.
   */
  async replace({ revision }: StoredRedelivery, redelivery: Redelivery): Promise<StoredRedelivery> {
    const document = redeliveryDocument(redelivery, revision + 1);
    const put: DocumentWrite = { kind: 'put', collection: REDELIVERIES, document, expected: revision };
    const stopRunning: DocumentWrite = { kind: 'delete', collection: RUNNING_REDELIVERIES, key: redelivery.webhookId };
    await this.documents.apply(redelivery.status === 'done' ? [put, stopRunning] : [put]);
    return { redelivery, revision: revision + 1 };
  }
}

const redeliveryDocument = (redelivery: Redelivery, revision: number): StoredDocument => ({
  key: redelivery.id,
  json: JSON.stringify(redelivery),
  fields: { tenant: redelivery.tenant, owner: redelivery.webhookId, status: redelivery.status },
  revision,
});
