import type { Collection, Documents, StoredDocument } from '../../eventsourcing/documents.port.js';
import type { Work } from '../../eventsourcing/work-queue.port.js';

/** Requests to send one delivery once more, and to let go of what waits for its turn; a lane is an endpoint, beneath its tenant. */
export const REDELIVERIES_QUEUE = 'redeliveries';
/** Requests to send a stretch of time once more: they take long, and nothing else waits behind them. */
export const STRETCHES_QUEUE = 'redeliveries-of-stretches';

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

/** What whoever does it needs to know: which delivery, which stretch of time, or whose deliveries wait for their turn no longer. */
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

/** The work that a redelivery is. */
export const redeliveryWork = (id: string, lane: string, asked: RedeliveryWork): Work => ({
  queue: asked.kind === 'stretch' ? STRETCHES_QUEUE : REDELIVERIES_QUEUE,
  id,
  lane,
  data: JSON.stringify(asked),
});

/** A redelivery as it was read. */
export type KeptRedelivery = { readonly redelivery: Redelivery; readonly revision: number };

/** The redeliveries of stretches of time as they stand. */
export class KeptRedeliveries {
  constructor(private readonly documents: Documents) {}

  /** A redelivery with its revision, or null. */
  async find(id: string): Promise<KeptRedelivery | null> {
    const document = await this.documents.get(REDELIVERIES, id);
    return document && { redelivery: JSON.parse(document.json) as Redelivery, revision: document.revision };
  }

  /** Whether one of an endpoint's is under way. */
  async isRunning(webhookId: string): Promise<boolean> {
    const where = { owner: webhookId, status: 'running' };
    return (await this.documents.find(REDELIVERIES, { where, sort: [], limit: 1, offset: 0 })).length > 0;
  }

  /** Puts a redelivery unless there is one of that id; answers the one there is. */
  async putNew(redelivery: Redelivery): Promise<KeptRedelivery> {
    const document = stored(redelivery, 0);
    if (await this.documents.apply([{ kind: 'put', collection: REDELIVERIES, document, expected: 'none' }]))
      return { redelivery, revision: 0 };
    return (await this.find(redelivery.id)) ?? { redelivery, revision: 0 };
  }

  /** Puts what follows on what was read; whoever is the second of two to do so changes nothing. */
  async replace({ revision }: KeptRedelivery, redelivery: Redelivery): Promise<KeptRedelivery> {
    const document = stored(redelivery, revision + 1);
    await this.documents.apply([{ kind: 'put', collection: REDELIVERIES, document, expected: revision }]);
    return { redelivery, revision: revision + 1 };
  }
}

const stored = (redelivery: Redelivery, revision: number): StoredDocument => ({
  key: redelivery.id,
  json: JSON.stringify(redelivery),
  fields: { tenant: redelivery.tenant, owner: redelivery.webhookId, status: redelivery.status },
  revision,
});
