import type { ShownDelivery, ShownRedelivery } from '../../../libs/application/deliveries/shown-deliveries.js';
import type { Attempt } from '../../../libs/deliveries/delivery.js';
import { CLOCK_TOLERANCE } from '../../../libs/deliveries/redelivery/redeliver.js';
import { countDeliveries, readDeliveryPages } from './deliveries.js';
import type { StoreClient } from './store-client.js';

/** A stretch of time that an endpoint is sent once more. */
type ReplayRange = {
  readonly webhookId: string;
  /** What the endpoint asks for. */
  readonly events: readonly string[];
  /** ISO 8601, both inclusive. */
  readonly since: string;
  readonly until: string;
};

/** What came of all that is sent. */
export type Outcome = { readonly delivered: number; readonly others: readonly ShownDelivery[] };

/** What an endpoint is sent once more, and how far it is. */
export class Replay {
  private constructor(
    private readonly store: StoreClient,
    private readonly range: ReplayRange,
    private readonly redelivery: ShownRedelivery,
  ) {}

  /** Asks the store to send it. */
  static async start(store: StoreClient, stretch: ReplayRange): Promise<Replay> {
    const { webhookId, since, until } = stretch;
    const { json } = await store.request<ShownRedelivery>('POST', `/v1/webhooks/${webhookId}/redelivery`, { since, until });
    return new Replay(store, stretch, json);
  }

  /** How many deliveries the store has found by now, and whether these are all. */
  async readProgress(): Promise<{ readonly deliveries: number; readonly isComplete: boolean }> {
    const { json } = await this.store.request<ShownRedelivery>(
      'GET',
      `/v1/webhooks/${this.range.webhookId}/redelivery/${this.redelivery.id}`,
    );
    return { deliveries: json.deliveries, isComplete: json.status === 'done' };
  }

  /** How many are still on their way, what happens meanwhile included. */
  async countUnfinished(): Promise<number> {
    const counts = (['pending', 'waiting'] as const).map((status) => countDeliveries(this.store, this.range.webhookId, status));
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }

  /** The newest of those that are still tried. */
  async listPending(): Promise<readonly ShownDelivery[]> {
    for await (const page of readDeliveryPages(this.store, this.range.webhookId, 'pending'))
      return page.filter((one) => this.isInRange(one));
    return [];
  }

  /** The latest attempt of this replay; what was tried before it says nothing of it. */
  findLatestAttempt({ attempts }: ShownDelivery): Attempt | undefined {
    return attempts.findLast(({ at }) => at >= this.redelivery.createdAt);
  }

  /** Looks at each: a page shows an endpoint's other deliveries as well, and some of them twice when new ones come meanwhile. */
  async readOutcome(): Promise<Outcome> {
    // No delivery is older than what it tells of.
    const oldest = new Date(Date.parse(this.range.since) - CLOCK_TOLERANCE).toISOString();
    const found = new Map<string, ShownDelivery>();
    for await (const page of readDeliveryPages(this.store, this.range.webhookId)) {
      for (const delivery of page) if (this.isInRange(delivery)) found.set(delivery.id, delivery);
      if (page.some(({ createdAt }) => createdAt < oldest)) break;
    }
    const others = [...found.values()].filter(({ status }) => status !== 'delivered');
    return { delivered: found.size - others.length, others };
  }

  /** An endpoint hears of what happens meanwhile as well: its time tells it apart. */
  private isInRange({ eventType, request }: ShownDelivery): boolean {
    const { events, since, until } = this.range;
    const { timestamp } = request.body as { readonly timestamp: string };
    return events.includes(eventType) && timestamp >= since && timestamp <= until;
  }
}
