import type { DeliveryResource, OpenedAttempt, RedeliveryResource } from '../../../libs/application/deliveries/delivery-views.js';
import { CLOCK_TOLERANCE } from '../../../libs/deliveries/redelivery/redeliver.js';
import { countDeliveries, readDeliveryPages } from './deliveries.js';
import type { ServiceClient } from './service-client.js';

/** The past events that are sent again, and the endpoint that receives them. */
type ReplayRange = {
  readonly webhookId: string;
  /** The event types that the endpoint subscribes to. */
  readonly events: readonly string[];
  /** Times in ISO 8601, both inclusive. */
  readonly since: string;
  readonly until: string;
};

/** The result of a replay: the number of delivered events, and all deliveries that are not delivered. */
export type Outcome = { readonly delivered: number; readonly others: readonly DeliveryResource[] };

/** Statuses below 500 that a receiver may send now and not later. */
const MAY_PASS: ReadonlySet<number> = new Set([408, 425, 429]);

/** A redelivery of past events to one endpoint. */
export class Replay {
  private constructor(
    private readonly service: ServiceClient,
    private readonly range: ReplayRange,
    private readonly redelivery: RedeliveryResource,
  ) {}

  /** Requests the redelivery from the service. */
  static async start(service: ServiceClient, range: ReplayRange): Promise<Replay> {
    const { webhookId, since, until } = range;
    const { json } = await service.request<RedeliveryResource>('POST', `/v1/webhooks/${webhookId}/redelivery`, { since, until });
    return new Replay(service, range, json);
  }

  /** Returns the number of deliveries that the service has found, and whether the search is complete. */
  async readProgress(): Promise<{ readonly deliveries: number; readonly isComplete: boolean }> {
    const { json } = await this.service.request<RedeliveryResource>(
      'GET',
      `/v1/webhooks/${this.range.webhookId}/redelivery/${this.redelivery.id}`,
    );
    return { deliveries: json.deliveries, isComplete: json.status === 'done' };
  }

  /** Returns the number of the endpoint's unfinished deliveries, including those of new events. */
  async countUnfinished(): Promise<number> {
    const counts = (['pending', 'waiting'] as const).map((status) => countDeliveries(this.service, this.range.webhookId, status));
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }

  /** Returns deliveries of the replay that the service still retries. Reads only one page, with the newest pending deliveries. */
  async listPending(): Promise<readonly DeliveryResource[]> {
    for await (const page of readDeliveryPages(this.service, this.range.webhookId, 'pending'))
      return page.filter((one) => this.isInRange(one));
    return [];
  }

  /** Returns the latest attempt since the replay started, if there is one. */
  findLatestAttempt(delivery: DeliveryResource): OpenedAttempt | undefined {
    return this.attemptsOf(delivery).at(-1);
  }

  /** Returns the attempts since the replay started. */
  private attemptsOf({ attempts }: DeliveryResource): readonly OpenedAttempt[] {
    return attempts.filter(({ at }) => at >= this.redelivery.createdAt);
  }

  /**
   * Returns the failure of all deliveries of the replay, if waiting does not help: the receiver refuses each of them for the same
   * reason, or each has failed twice alike. Otherwise returns null. Reads the other deliveries only if these pending ones fail alike.
   */
  async findCommonFailure(newest: readonly DeliveryResource[]): Promise<string | null> {
    const failure = this.failureOfAll(newest);
    if (failure === null) return null;
    const { delivered, others } = await this.readOutcome();
    // A waiting delivery of an ordered endpoint has no attempt before an earlier delivery arrives.
    const attempted = others.filter(({ status }) => status !== 'waiting');
    return delivered === 0 && this.failureOfAll(attempted) === failure ? failure : null;
  }

  private failureOfAll(deliveries: readonly DeliveryResource[]): string | null {
    const failures = deliveries.map((delivery) => {
      const [beforeLast, last] = [undefined, ...this.attemptsOf(delivery).map(({ status, fault }) => status ?? fault)].slice(-2);
      if (last === undefined) return null;
      const isRefusal = typeof last === 'number' && last < 500 && !MAY_PASS.has(last);
      return isRefusal || last === beforeLast ? String(last) : null;
    });
    const [first = null, ...others] = new Set(failures);
    return others.length === 0 ? first : null;
  }

  /** Reads all deliveries of the replay. A delivery that moves to the next page during the reading counts once. */
  async readOutcome(): Promise<Outcome> {
    // A delivery is created after its event, but perhaps on another machine, whose clock may be behind by CLOCK_TOLERANCE.
    // No delivery of the replay has a `createdAt` before `oldest`, so reading stops there.
    const oldest = new Date(Date.parse(this.range.since) - CLOCK_TOLERANCE).toISOString();
    const found = new Map<string, DeliveryResource>();
    for await (const page of readDeliveryPages(this.service, this.range.webhookId)) {
      for (const delivery of page) if (this.isInRange(delivery)) found.set(delivery.id, delivery);
      if (page.some(({ createdAt }) => createdAt < oldest)) break;
    }
    const others = [...found.values()].filter(({ status }) => status !== 'delivered');
    return { delivered: found.size - others.length, others };
  }

  /** Returns whether a delivery belongs to the replay, by the type and the time of its event. */
  private isInRange({ eventType, request }: DeliveryResource): boolean {
    const { events, since, until } = this.range;
    const { timestamp } = request.body as { readonly timestamp: string };
    return events.includes(eventType) && timestamp >= since && timestamp <= until;
  }
}
