import { Allow, IsArray, IsIn, IsInt, IsString, Max, Min, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import { DELIVERY_STATUSES, PARKED_REASONS, type DeliveryStatus, type ParkedReason } from '../../../../libs/deliveries/delivery.js';
import { Characters, DateTime, Described, Documented, Optional, Schema } from '../../http/validation/rules.js';
import { DeliveryAttempt } from '../../webhooks/delivery.dto.js';

const MAX_LIMIT = 100;
/** The number of deliveries on a page without the parameter `limit`. */
export const DEFAULT_LIMIT = 20;

/** The query parameters of the list. */
@Documented('The requested deliveries')
export class OperatorsDeliveriesQuery {
  @Optional()
  @IsString()
  @IsIn(DELIVERY_STATUSES)
  @Described('Only deliveries with this status', 'pending')
  readonly status?: DeliveryStatus;

  @Optional()
  @Characters(1, 100)
  @Described('The value of `next` in the previous page; absent for the first page')
  readonly after?: string;

  @Optional()
  @IsInt()
  @Min(1)
  @Max(MAX_LIMIT)
  @Schema({ description: 'The maximum number of deliveries on a page', default: DEFAULT_LIMIT, examples: [20] })
  readonly limit?: number;
}

/** A delivery in a response for operators. */
@Documented('A delivery of any tenant, without what is sent')
export class OperatorsDelivery {
  @IsString()
  @Schema({ format: 'uuid', description: 'The id of the delivery' })
  readonly id!: string;

  @IsString()
  @Described('The id of the tenant, or `shared`', 'shared')
  readonly tenant!: string;

  @Optional()
  @IsString()
  @Schema({ format: 'uuid', description: 'The id of the webhook endpoint; absent for an order callback' })
  readonly webhookId?: string;

  @Optional()
  @IsString()
  @Schema({ format: 'uuid', description: 'The id of the order; present only for an order callback' })
  readonly orderId?: string;

  @IsString()
  @Schema({ format: 'uuid', description: 'The id of the event: `webhook-id` in the headers' })
  readonly eventId!: string;

  @IsString()
  @Described('The name of the event', 'order.statusChanged')
  readonly eventType!: string;

  @IsString()
  @Described('The stream of the recorded event', 'order-0190a6b3-1a2b-7c45-8d6e-4f8b2c6d3e91')
  readonly stream!: string;

  @IsInt()
  @Min(0)
  @Described('The number of the recorded event in its stream', 2)
  readonly revision!: number;

  @IsString()
  @IsIn(DELIVERY_STATUSES)
  @Described('The status of the delivery', 'pending')
  readonly status!: DeliveryStatus;

  @Optional()
  @IsString()
  @IsIn(PARKED_REASONS)
  @Described('Why no attempt follows; present only if the status is parked', 'exhausted')
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

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => DeliveryAttempt)
  @Described('The latest 25 attempts, oldest first, without the responses')
  readonly attempts!: readonly DeliveryAttempt[];
}

/** A page of deliveries in a response. */
@Documented('A page of deliveries of all tenants')
export class OperatorsDeliveryPage {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => OperatorsDelivery)
  @Described('The deliveries, newest first')
  readonly data!: readonly OperatorsDelivery[];

  @Allow()
  @Schema({ type: ['string', 'null'], description: 'The value of `after` for the next page; null after the last delivery' })
  readonly next!: string | null;
}
