import type { Collection, Documents, DocumentWrite, StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import type { Work } from '../../eventsourcing/ports/work-queue.port.js';
import { laneOfEndpoint } from '../dispatch/lanes.js';

/** Requests to send one delivery once more, and to let go of what waits for its turn; a lane is an endpoint, beneath its tenant. */
export const REDELIVERIES_QUEUE = 'redeliveries';
/** Requests to send a stretch of time once more: they take long, and nothing else waits behind them. */
export const RANGES_QUEUE = 'redeliveries-of-stretches';

/** A request to send an endpoint what happened in a stretch of time, and how far it has come. */
export type Redelivery = {
  readonly id: string;
  readonly tenant: string;
  readonly webhookId: string;
  /** ISO 8601, both inclusive. */
  readonly since: string;
  readonly until: string;
  readonly createdAt: string;
  readonly status: 'running' | 'done';
  /** How many deliveries it has asked for. */
  readonly deliveries: number;
  /** The position of the log that it has come to; null before it has looked for the beginning. */
  readonly position: number | null;
  /** Tells a repeat with the same Idempotency-Key from another request. */
  readonly bodyDigest?: string;
};

/** What its worker needs to know: which delivery, which stretch of time, or whose deliveries no longer wait for their turn. */
export type RedeliveryWork =
  | { readonly kind: 'one'; readonly delivery: string; readonly redeliveryId: string }
  | { readonly kind: 'stretch'; readonly made: Redelivery }
  | { readonly kind: 'release'; readonly webhookId: string };

/** Every such request that there was. */
export const REDELIVERIES: Collection = {
  name: 'redeliveries',
  version: 1,
  fields: { tenant: 'text', owner: 'text', status: 'text' },
  indexes: [['owner', 'status']],
  cells: [],
};

/** The redelivery of a stretch of time that an endpoint has under way; its key is the endpoint's id, so there is one at most. */
export const RUNNING_REDELIVERIES: Collection = { name: 'running_redeliveries', version: 1, fields: {}, indexes: [], cells: [] };

/** The work that a redelivery is. */
export const redeliveryWork = (id: string, lane: string, asked: RedeliveryWork): Work => ({
  queue: asked.kind === 'stretch' ? RANGES_QUEUE : REDELIVERIES_QUEUE,
  id,
  lane,
  data: JSON.stringify(asked),
});

/** The work that the redelivery of a stretch of time is. */
export const rangeWork = (made: Redelivery): Work =>
  redeliveryWork(made.id, laneOfEndpoint({ tenant: made.tenant, id: made.webhookId }), { kind: 'stretch', made });

/** More than are under way at a time, mostly: whatever is beyond comes next time. */
const PAGE = 500;

/** A redelivery as it was read. */
export type StoredRedelivery = { readonly redelivery: Redelivery; readonly revision: number };

/** The redeliveries of stretches of time as they stand. */
export class RedeliveryStore {
  constructor(private readonly documents: Documents) {}

  /** A redelivery with its revision, or null. */
  async find(id: string): Promise<StoredRedelivery | null> {
    const document = await this.documents.get(REDELIVERIES, id);
    return document && { redelivery: JSON.parse(document.json) as Redelivery, revision: document.revision };
  }

  /** Begins a redelivery unless its endpoint has one under way: of two at once one begins. Null when it did not. */
  async begin(redelivery: Redelivery): Promise<StoredRedelivery | null> {
    const running = { key: redelivery.webhookId, json: JSON.stringify(redelivery), fields: {}, revision: 0 };
    const begun = await this.documents.apply([
      { kind: 'put', collection: REDELIVERIES, document: stored(redelivery, 0), expected: 'none' },
      { kind: 'put', collection: RUNNING_REDELIVERIES, document: running, expected: 'none' },
    ]);
    return begun ? { redelivery, revision: 0 } : null;
  }

  /** What an endpoint has under way, as it began; null when that is nothing. */
  async runningOf(webhookId: string): Promise<Redelivery | null> {
    const document = await this.documents.get(RUNNING_REDELIVERIES, webhookId);
    return document && (JSON.parse(document.json) as Redelivery);
  }

  /** Some that are under way, as they began. */
  async someRunning(): Promise<readonly Redelivery[]> {
    const found = await this.documents.find(RUNNING_REDELIVERIES, { where: {}, sort: [], limit: PAGE, offset: 0 });
    return found.map(({ json }) => JSON.parse(json) as Redelivery);
  }

  /** Puts a redelivery unless there is one of that id; answers the one there is. */
  async putNew(redelivery: Redelivery): Promise<StoredRedelivery> {
    const document = stored(redelivery, 0);
    if (await this.documents.apply([{ kind: 'put', collection: REDELIVERIES, document, expected: 'none' }]))
      return { redelivery, revision: 0 };
    return (await this.find(redelivery.id)) ?? { redelivery, revision: 0 };
  }

  /** Replaces the redelivery as it was read; the second of two replacements changes nothing. One that is done lets another begin. */
  async replace({ revision }: StoredRedelivery, redelivery: Redelivery): Promise<StoredRedelivery> {
    const document = stored(redelivery, revision + 1);
    const put: DocumentWrite = { kind: 'put', collection: REDELIVERIES, document, expected: revision };
    const isOver: DocumentWrite = { kind: 'delete', collection: RUNNING_REDELIVERIES, key: redelivery.webhookId };
    await this.documents.apply(redelivery.status === 'done' ? [put, isOver] : [put]);
    return { redelivery, revision: revision + 1 };
  }
}

const stored = (redelivery: Redelivery, revision: number): StoredDocument => ({
  key: redelivery.id,
  json: JSON.stringify(redelivery),
  fields: { tenant: redelivery.tenant, owner: redelivery.webhookId, status: redelivery.status },
  revision,
});
