import type { ShownDelivery, ShownRedelivery } from '../../../libs/application/deliveries/shown-deliveries.js';
import type { Attempt } from '../../../libs/deliveries/delivery.js';
import { CLOCKS_DIFFER } from '../../../libs/deliveries/redelivery/redelivering.js';
import { countDeliveries, deliveryPages } from './deliveries.js';
import type { ReachedStore } from './store-client.js';

/** A stretch of time that an endpoint is sent once more. */
type Stretch = {
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
export class Replayed {
  private constructor(
    private readonly store: ReachedStore,
    private readonly stretch: Stretch,
    private readonly asked: ShownRedelivery,
  ) {}

  /** Asks the store to send it. */
  static async begin(store: ReachedStore, stretch: Stretch): Promise<Replayed> {
    const { webhookId, since, until } = stretch;
    const { json } = await store.ask<ShownRedelivery>('POST', `/v1/webhooks/${webhookId}/redelivery`, { since, until });
    return new Replayed(store, stretch, json);
  }

  /** How many deliveries the store has found by now, and whether these are all. */
  async found(): Promise<{ readonly deliveries: number; readonly isComplete: boolean }> {
    const { json } = await this.store.ask<ShownRedelivery>('GET', `/v1/webhooks/${this.stretch.webhookId}/redelivery/${this.asked.id}`);
    return { deliveries: json.deliveries, isComplete: json.status === 'done' };
  }

  /** How many are still on their way, what happens meanwhile included. */
  async onTheirWay(): Promise<number> {
    const counts = (['pending', 'waiting'] as const).map((status) => countDeliveries(this.store, this.stretch.webhookId, status));
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }

  /** The newest of those that are still tried. */
  async stillTried(): Promise<readonly ShownDelivery[]> {
    for await (const page of deliveryPages(this.store, this.stretch.webhookId, 'pending')) return page.filter((one) => this.isOfIt(one));
    return [];
  }

  /** The latest attempt of this replay; what was tried before it says nothing of it. */
  latestAttempt({ attempts }: ShownDelivery): Attempt | undefined {
    return attempts.findLast(({ at }) => at >= this.asked.createdAt);
  }

  /** Looks at each: a page shows an endpoint's other deliveries as well, and some of them twice when new ones come meanwhile. */
  async outcome(): Promise<Outcome> {
    // No delivery is older than what it tells of.
    const oldest = new Date(Date.parse(this.stretch.since) - CLOCKS_DIFFER).toISOString();
    const found = new Map<string, ShownDelivery>();
    for await (const page of deliveryPages(this.store, this.stretch.webhookId)) {
      for (const delivery of page) if (this.isOfIt(delivery)) found.set(delivery.id, delivery);
      if (page.some(({ createdAt }) => createdAt < oldest)) break;
    }
    const others = [...found.values()].filter(({ status }) => status !== 'delivered');
    return { delivered: found.size - others.length, others };
  }

  /** An endpoint hears of what happens meanwhile as well: its time tells it apart. */
  private isOfIt({ eventType, request }: ShownDelivery): boolean {
    const { events, since, until } = this.stretch;
    const { timestamp } = request.body as { readonly timestamp: string };
    return events.includes(eventType) && timestamp >= since && timestamp <= until;
  }
}
