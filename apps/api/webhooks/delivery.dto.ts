import { Allow, IsArray, IsIn, IsInt, IsString, Min, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import type { RedeliveryInput } from '../../../libs/application/deliveries/delivery.handlers.js';
import type { DeliveryFilter } from '../../../libs/application/deliveries/delivery.queries.js';
import { DELIVERY_STATUSES, PARKED_REASONS, type DeliveryStatus, type ParkedReason } from '../../../libs/deliveries/delivery.js';
import { PageQuery, Pagination } from '../http/collection.dto.js';
import type { FieldError } from '../http/problems/error-codes.js';
import { AS_SENT, inputOf, SEPARATE } from '../http/validation/input-mapping.js';
import { Described, Documented, Moment, Nested, Optional, Schema } from '../http/validation/rules.js';

const STATUS_MEANING =
  'pending: it is tried, now or later; waiting: an earlier one of the same order, payment or pet comes first; delivered: a 2xx came back; ' +
  'parked: it is not tried any more unless it is asked for';

@Documented('One time that a delivery was tried')
export class DeliveryAttempt {
  @Moment()
  @Described('When', '2026-01-02T03:04:05.912Z')
  readonly at!: string;

  @IsString()
  @Schema({ format: 'uri', description: 'Where to', examples: ['https://shop.example.com/webhooks'] })
  readonly url!: string;

  @IsInt()
  @Min(0)
  @Described('How long it took', 42)
  readonly durationMilliseconds!: number;

  @Optional()
  @IsInt()
  @Described('The status of the answer, if there was one', 200)
  readonly status?: number;

  @Optional()
  @IsString()
  @Described('Why there was no answer, if there was none', 'timed_out')
  readonly fault?: string;

  @Optional()
  @IsString()
  @Described('How the answer began; not in lists', 'ok')
  readonly answer?: string;
}

/** What is posted. */
@Documented('What is posted to a webhook endpoint')
export class DeliveryRequest {
  @Allow()
  @Schema({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'The headers that are the same in every attempt; the time and the signatures are made anew each time',
  })
  readonly headers!: object;

  @Allow()
  @Schema({ type: 'object', additionalProperties: true, description: 'The event, as /docs/events describes it' })
  readonly body!: object;
}

/** A delivery as it is read. */
@Documented('An event on its way to a webhook endpoint, and what came of it')
export class WebhookDelivery {
  @IsString()
  @Schema({ format: 'uuid', description: 'Made by the service' })
  readonly id!: string;

  @IsString()
  @Schema({ format: 'uuid', description: 'The endpoint' })
  readonly webhookId!: string;

  @IsString()
  @Schema({ format: 'uuid', description: 'The event: eventId in the body, webhook-id in the headers' })
  readonly eventId!: string;

  @IsString()
  @Described('Which event it is', 'order.statusChanged')
  readonly eventType!: string;

  @IsString()
  @IsIn(DELIVERY_STATUSES)
  @Described(STATUS_MEANING, 'delivered')
  readonly status!: DeliveryStatus;

  @Optional()
  @IsString()
  @IsIn(PARKED_REASONS)
  @Schema({ description: 'Why it is parked: every attempt failed, or the endpoint is disabled or deleted' })
  readonly parkedBecause?: ParkedReason;

  @Moment()
  @Described('When it was made', '2026-01-02T03:04:05.700Z')
  readonly createdAt!: string;

  @Allow()
  @Schema({ type: ['string', 'null'], format: 'date-time', description: 'When it is tried next, at the earliest; null while it is not' })
  readonly nextAttemptAt!: string | null;

  @Nested(() => DeliveryRequest)
  readonly request!: DeliveryRequest;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => DeliveryAttempt)
  @Described('The attempts so far, the latest last')
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

/** Which deliveries a list shows. */
export class DeliveryListQuery extends PageQuery {
  @Optional()
  @IsString()
  @IsIn(DELIVERY_STATUSES)
  @Described('Only this status', 'parked')
  readonly status?: DeliveryStatus;
}

/** What is to be sent once more. */
@Documented('A stretch of time to be sent once more')
export class NewRedelivery {
  @Moment()
  @Described('From when on; what happened before the endpoint was registered is sent too', '2026-01-02T00:00:00Z')
  readonly since!: string;

  @Optional()
  @Moment()
  @Described('Until when; until now when left out', '2026-01-03T00:00:00Z')
  readonly until?: string;
}

@Documented('How far a redelivery has come')
export class WebhookRedelivery {
  @IsString()
  @Schema({ format: 'uuid', description: 'Made by the service' })
  readonly id!: string;

  @IsString()
  @Schema({ format: 'uuid', description: 'The endpoint' })
  readonly webhookId!: string;

  @Moment()
  @Described('From when on', '2026-01-02T00:00:00.000Z')
  readonly since!: string;

  @Moment()
  @Described('Until when', '2026-01-03T00:00:00.000Z')
  readonly until!: string;

  @IsString()
  @IsIn(['running', 'done'])
  @Described('Whether all that happened in that time has been looked at', 'done')
  readonly status!: 'running' | 'done';

  @IsInt()
  @Min(0)
  @Described('How many deliveries it has asked for so far', 3)
  readonly deliveries!: number;

  @Moment()
  @Described('When it was asked for', '2026-01-03T08:00:00.000Z')
  readonly createdAt!: string;
}

/** A stretch of time does not end before it begins. */
export const stretchInOrder = ({ since, until }: NewRedelivery): readonly FieldError[] =>
  until !== undefined && Date.parse(until) < Date.parse(since)
    ? [{ field: 'until', message: 'must not be before since', code: 'too_small' }]
    : [];

/** Which deliveries are listed. */
export const deliveryFilter = inputOf<DeliveryListQuery, DeliveryFilter>({ status: AS_SENT, page: SEPARATE, limit: SEPARATE });

/** The stretch of time that is sent once more. Times are kept, and compared, in one form. */
export const redeliveryInput = inputOf<NewRedelivery, RedeliveryInput>({
  since: ({ since }) => inUtc(since),
  until: ({ until }) => (until === undefined ? undefined : inUtc(until)),
});

const inUtc = (time: string): string => new Date(time).toISOString();
