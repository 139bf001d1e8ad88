import { Allow, IsArray, IsIn, IsInt, IsString, Min, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import type { RedeliveryInput } from '../../../libs/application/deliveries/delivery.commands.js';
import type { DeliveryFilter } from '../../../libs/application/deliveries/delivery.queries.js';
import { DELIVERY_STATUSES, PARKED_REASONS, type DeliveryStatus, type ParkedReason } from '../../../libs/deliveries/delivery.js';
import { PageQuery, Pagination } from '../http/collection.dto.js';
import type { FieldError } from '../http/problems/error-codes.js';
import { firstMillisecondAt } from '../http/validation/formats.js';
import { AS_SENT, inputOf, NOT_IN_INPUT } from '../http/validation/input-mapping.js';
import { Described, Documented, DateTime, Nested, Optional, Schema } from '../http/validation/rules.js';

const STATUS_MEANING =
  'pending: an attempt is scheduled; waiting: an earlier delivery of the same order, payment or pet comes first; ' +
  'delivered: the receiver answered 2xx; parked: the service makes no more attempts until a redelivery is requested';

@Documented('An attempt of a delivery')
export class DeliveryAttempt {
  @DateTime()
  @Described('When the attempt began', '2026-01-02T03:04:05.912Z')
  readonly at!: string;

  @IsString()
  @Schema({ format: 'uri', description: 'The URL to which the request was sent', examples: ['https://shop.example.com/webhooks'] })
  readonly url!: string;

  @IsInt()
  @Min(0)
  @Described('Duration in milliseconds', 42)
  readonly durationMilliseconds!: number;

  @Optional()
  @IsInt()
  @Described('The HTTP status of the response. Absent if there was no response', 200)
  readonly status?: number;

  @Optional()
  @IsString()
  @Described('Why there was no response', 'timed_out')
  readonly fault?: string;

  @Optional()
  @IsString()
  @Described('The first 2 KiB of the response body. Absent in lists', 'ok')
  readonly answer?: string;
}

/** The HTTP request of a delivery. */
@Documented('The request that is posted to a webhook endpoint')
export class DeliveryRequest {
  @Allow()
  @Schema({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'The headers that are the same in every attempt. Each attempt has its own timestamp and signatures',
  })
  readonly headers!: object;

  @Allow()
  @Schema({ type: 'object', additionalProperties: true, description: 'The event. The page /docs/events describes its fields' })
  readonly body!: object;
}

/** The representation of a delivery in responses. */
@Documented('The delivery of an event to a webhook endpoint')
export class WebhookDelivery {
  @IsString()
  @Schema({ format: 'uuid', description: 'Set by the service' })
  readonly id!: string;

  @IsString()
  @Schema({ format: 'uuid', description: 'The id of the endpoint' })
  readonly webhookId!: string;

  @IsString()
  @Schema({ format: 'uuid', description: 'The id of the event: eventId in the body, webhook-id in the headers' })
  readonly eventId!: string;

  @IsString()
  @Described('The name of the event', 'order.statusChanged')
  readonly eventType!: string;

  @IsString()
  @IsIn(DELIVERY_STATUSES)
  @Described(STATUS_MEANING, 'delivered')
  readonly status!: DeliveryStatus;

  @Optional()
  @IsString()
  @IsIn(PARKED_REASONS)
  @Schema({
    description:
      'exhausted: all attempts failed; gone: the receiver answered 410; ' +
      'disabled: the endpoint was disabled; removed: the endpoint was deleted',
  })
  readonly parkedBecause?: ParkedReason;

  @DateTime()
  @Described('When the delivery was created', '2026-01-02T03:04:05.700Z')
  readonly createdAt!: string;

  @Allow()
  @Schema({
    type: ['string', 'null'],
    format: 'date-time',
    description: 'The earliest time of the next attempt, or null if the status is not pending',
  })
  readonly nextAttemptAt!: string | null;

  @Nested(() => DeliveryRequest)
  readonly request!: DeliveryRequest;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => DeliveryAttempt)
  @Described('The latest 25 attempts, oldest first')
  readonly attempts!: readonly DeliveryAttempt[];
}

@Documented('A page of deliveries')
export class WebhookDeliveryCollection {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => WebhookDelivery)
  @Described('The deliveries on this page, newest first')
  readonly data!: readonly WebhookDelivery[];

  @Nested(() => Pagination)
  readonly pagination!: Pagination;
}

/** The query of a list of deliveries. */
export class DeliveryListQuery extends PageQuery {
  @Optional()
  @IsString()
  @IsIn(DELIVERY_STATUSES)
  @Described('Only deliveries with this status', 'parked')
  readonly status?: DeliveryStatus;
}

/** A request to redeliver the events of a time range. */
@Documented('The time range of the events to redeliver')
export class NewRedelivery {
  @DateTime()
  @Described(
    'The start of the time range (inclusive). It may be before the registration of the endpoint, but must not be in the future',
    '2026-01-02T00:00:00Z',
  )
  readonly since!: string;

  @Optional()
  @DateTime()
  @Described('The end of the time range (inclusive). Default: now', '2026-01-03T00:00:00Z')
  readonly until?: string;
}

@Documented('The redelivery of a time range and its progress')
export class WebhookRedelivery {
  @IsString()
  @Schema({ format: 'uuid', description: 'Set by the service' })
  readonly id!: string;

  @IsString()
  @Schema({ format: 'uuid', description: 'The id of the endpoint' })
  readonly webhookId!: string;

  @DateTime()
  @Described('The start of the time range. Events of exactly this time are included', '2026-01-02T00:00:00.000Z')
  readonly since!: string;

  @DateTime()
  @Described('The end of the time range. Events of exactly this time are included', '2026-01-03T00:00:00.000Z')
  readonly until!: string;

  @IsString()
  @IsIn(['running', 'done'])
  @Described('`running`, or `done` after all events of the time range have been processed', 'done')
  readonly status!: 'running' | 'done';

  @IsInt()
  @Min(0)
  @Described('The number of deliveries that the redelivery has created or restarted so far', 3)
  readonly deliveries!: number;

  @DateTime()
  @Described('When the redelivery was requested', '2026-01-03T08:00:00.000Z')
  readonly createdAt!: string;
}

/** Rejects a time range that ends before it begins (contract 20.12). */
export const validateTimeRange = ({ since, until }: NewRedelivery): readonly FieldError[] =>
  until !== undefined && Date.parse(until) < Date.parse(since)
    ? [{ field: 'until', message: 'must not be before since', code: 'too_small' }]
    : [];

/** Maps the query to the filter of a list of deliveries. */
export const deliveryFilter = inputOf<DeliveryListQuery, DeliveryFilter>({ status: AS_SENT, page: NOT_IN_INPUT, limit: NOT_IN_INPUT });

/** Maps the body to the input of a redelivery. Converts the times to UTC, because stored times are in UTC. */
export const redeliveryInput = inputOf<NewRedelivery, RedeliveryInput>({
  since: ({ since }) => firstMillisecondAt(since).toISOString(),
  until: ({ until }) => (until === undefined ? undefined : new Date(until).toISOString()),
});
