import { Command, Query } from '@nestjs/cqrs';
import type { Rejection } from '../../eventsourcing/decider.js';
import type { Page, RequestContext, View } from '../request.js';
import type { Attempt, DeliveryStatus, ParkedReason } from '../../deliveries/delivery.js';
import type { Redelivery } from '../../deliveries/redelivery/redelivery.js';

/** A delivery as its endpoint's owner sees it: the JSON of the views and pages below. */
export type ShownDelivery = {
  readonly id: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly status: DeliveryStatus;
  readonly parkedBecause?: ParkedReason;
  readonly createdAt: string;
  readonly nextAttemptAt: string | null;
  /** What is posted: the body, and the headers that stay the same over all attempts. */
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: unknown };
  /** The latest last. */
  readonly attempts: readonly Attempt[];
};

/** A request to send what happened in a stretch of time once more, as its endpoint's owner sees it. */
export type ShownRedelivery = Pick<Redelivery, 'id' | 'webhookId' | 'since' | 'until' | 'status' | 'deliveries' | 'createdAt'>;

/** Nothing is sent on request to an endpoint that is not there, or is switched off: it would be parked at once. */
export type SendingRejection = 'webhook_not_found' | 'webhook_disabled';

/** A page of an endpoint's deliveries, newest first, without what was answered; null when there is no such endpoint. */
export class ListDeliveries extends Query<Page | null> {
  constructor(
    readonly webhookId: string,
    readonly filter: { readonly status?: DeliveryStatus },
    readonly page: number,
    readonly limit: number,
    readonly tenant: string,
  ) {
    super();
  }
}

/** One delivery of an endpoint, or null. */
export class GetDelivery extends Query<View | null> {
  constructor(
    readonly webhookId: string,
    readonly id: string,
    readonly tenant: string,
  ) {
    super();
  }
}

/** Sends one delivery once more, with the id it had: answers it as it will be in a moment. */
export class Redeliver extends Command<View | Rejection<SendingRejection | 'delivery_not_found'>> {
  constructor(
    readonly webhookId: string,
    readonly id: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

/** A stretch of time: ISO 8601; `until` is now when it is left out. */
type RedeliveryWish = { readonly since: string; readonly until?: string };

/**
 * Sends an endpoint everything that it asks for and that happened from `since` to `until` once more, what it never got
 * too: what happened before it was registered. Refused while another such request for the endpoint is under way.
 */
export class RedeliverSince extends Command<
  View | Rejection<SendingRejection | 'stretch_not_begun' | 'redelivery_running' | 'idempotency_key_reused'>
> {
  constructor(
    readonly webhookId: string,
    readonly wish: RedeliveryWish,
    readonly request: RequestContext,
  ) {
    super();
  }
}

/** How far a redelivery has come, or null. */
export class GetRedelivery extends Query<View | null> {
  constructor(
    readonly webhookId: string,
    readonly id: string,
    readonly tenant: string,
  ) {
    super();
  }
}

/** Sends an endpoint a `webhook.test`; answers its delivery. */
export class SendTest extends Command<View | Rejection<SendingRejection>> {
  constructor(
    readonly webhookId: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}
