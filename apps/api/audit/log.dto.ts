import { Allow, IsArray, IsIn, IsInt, IsString, Max, Min, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import { FOUND_BY, type Found } from '../../../libs/application/history/find.queries.js';
import type { LogFilter } from '../../../libs/application/history/scan-log.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../../libs/deliveries/delivery.js';
import { firstMillisecondAt } from '../http/validation/formats.js';
import { Characters, DateTime, Described, Documented, Optional, Schema } from '../http/validation/rules.js';
import { AuditedChange, AuditedEvent } from './audit.dto.js';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** The query parameters of a page of the log. */
@Documented('The requested page of the log')
export class LogPageQuery {
  @Optional()
  @Characters(1, 200)
  @Described('The value of `next` in the previous page; absent for the first page')
  readonly after?: string;

  @Optional()
  @IsInt()
  @Min(1)
  @Max(MAX_LIMIT)
  @Schema({ description: 'The maximum number of events on a page', default: DEFAULT_LIMIT, examples: [20] })
  readonly limit?: number;
}

/** The query parameters of the consequences of a request. */
@Documented('The requested events of the request')
export class ConsequencesQuery extends LogPageQuery {
  @Optional()
  @DateTime()
  @Described('Only events at this time or later. With it, a long log is not searched from its beginning', '2026-01-02T00:00:00Z')
  readonly from?: string;
}

/** The query parameters of the log. */
@Documented('The requested events')
export class LogQuery extends LogPageQuery {
  @Optional()
  @Characters(1, 100)
  @Described('Only events of this type', 'PetReserved')
  readonly type?: string;

  @Optional()
  @Characters(1, 100)
  @Described('Only events that changed this field of their resource, or a field in it. Each event then has its `changes`', 'price')
  readonly changed?: string;

  @Optional()
  @Characters(1, 255)
  @Described('Only events with this actor', 'staff')
  readonly actor?: string;

  @Optional()
  @DateTime()
  @Described('Only events at this time or later', '2026-01-02T00:00:00Z')
  readonly from?: string;

  @Optional()
  @DateTime()
  @Described('Only events before this time', '2026-01-03T00:00:00Z')
  readonly to?: string;

  @Optional()
  @IsString()
  @IsIn(['*'])
  @Described('`*` requests the events of all tenants. The token must have the scope `ops` and be bound to no tenant')
  readonly tenant?: string;
}

const NEXT = { type: ['string', 'null'], description: 'The value of `after` for the next page; null at the end of the log' };

/** A page of the log in a response. */
@Documented('A page of the log. The page may be short or empty although more pages follow')
export class AuditedLog {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => AuditedEvent)
  @Described('The events, in the order of the log')
  readonly data!: readonly AuditedEvent[];

  @Allow()
  @Schema(NEXT)
  readonly next!: string | null;
}

/** A delivery that an event caused, in a response. */
@Documented('A delivery that an event caused')
export class AuditedDelivery {
  @IsString()
  @Schema({ format: 'uuid', description: 'The id of the delivery' })
  readonly id!: string;

  @IsString()
  @Described('The name of the event that is delivered', 'pet.statusChanged')
  readonly eventType!: string;

  @Optional()
  @IsString()
  @Schema({ format: 'uuid', description: 'The id of the webhook endpoint; absent for an order callback' })
  readonly webhookId?: string;

  @Optional()
  @IsString()
  @Schema({ format: 'uuid', description: 'The id of the order; present only for an order callback' })
  readonly orderId?: string;

  @IsString()
  @IsIn(DELIVERY_STATUSES)
  @Described('The status of the delivery', 'delivered')
  readonly status!: DeliveryStatus;

  @IsInt()
  @Min(0)
  @Described('The number of attempts', 1)
  readonly attempts!: number;

  @DateTime()
  @Described('When the delivery was created', '2026-01-02T03:04:05.700Z')
  readonly createdAt!: string;
}

/** An event with its consequences, as a response shows it. */
@Documented('An event and its consequences')
export class AuditedConsequence extends AuditedChange {
  @Allow()
  @Schema({
    type: ['object', 'null'],
    additionalProperties: { type: 'string' },
    description: 'The topic message of the event: its topic, key, type and sequence. Null if the event is not published',
  })
  readonly message!: object | null;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => AuditedDelivery)
  @Described('The deliveries that the event caused: to webhook endpoints, and as order callbacks')
  readonly deliveries!: readonly AuditedDelivery[];
}

/** The response with a page of the events that a request caused. */
@Documented('A page of the events that a request caused. The page may be short or empty although more pages follow')
export class RequestConsequences {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => AuditedConsequence)
  @Described('The events, in the order of the log')
  readonly data!: readonly AuditedConsequence[];

  @Allow()
  @Schema(NEXT)
  readonly next!: string | null;
}

/** The query parameters of a search. */
@Documented('What is searched for')
export class FindQuery {
  @Characters(1, 254)
  @Described(
    'The name of a stream; the id of a resource, an event, a request or a delivery; a number; the exact name of a pet; ' +
      'or, with the scope `ops`, an exact username or email address',
    'Luna',
  )
  readonly text!: string;

  @Optional()
  @IsString()
  @IsIn(['*'])
  @Described('`*` looks for ids and streams in all tenants. The token must have the scope `ops` and be bound to no tenant')
  readonly tenant?: string;
}

/** Something that was found, in a response. */
@Documented('What the text stands for: a stream, or a request')
export class FoundItem {
  @IsString()
  @Schema({ description: 'What was found', 'x-extensible-enum': ['stream', 'request'], examples: ['stream'] })
  readonly kind!: Found['kind'];

  @Optional()
  @IsString()
  @Described('The name of the stream; absent for a request', 'pet-0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60')
  readonly stream?: string;

  @Optional()
  @IsString()
  @Schema({ description: 'By what the stream was found; absent for a request', 'x-extensible-enum': FOUND_BY, examples: ['name'] })
  readonly by?: (typeof FOUND_BY)[number];

  @Optional()
  @IsString()
  @Described('The id of the request; absent for a stream', '0190a6b9-0f1e-7b2c-8d3e-4f5061728394')
  readonly requestId?: string;

  @IsString()
  @Described('The id of the tenant, or `shared`', 'shared')
  readonly tenant!: string;
}

/** The response of a search. */
@Documented('What was found')
export class FoundItems {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => FoundItem)
  @Described('The streams and requests')
  readonly data!: readonly FoundItem[];
}

/** Returns the cursor and the limit of the requested page. The limit is DEFAULT_LIMIT if the query has none. */
export const logRange = ({ after, limit = DEFAULT_LIMIT }: LogPageQuery = {}): { readonly after?: string; readonly limit: number } => ({
  limit,
  ...(after !== undefined && { after }),
});

/**
 * Returns the filter for a query. `tenant` is null for the events of all tenants. Converts times to UTC, because recorded
 * times are in UTC, and the log compares times as texts.
 */
export const logFilter = ({ type, actor, from, to }: LogQuery, tenant: string | null): LogFilter => ({
  tenant,
  ...(type !== undefined && { type }),
  ...(actor !== undefined && { actor }),
  ...(from !== undefined && { from: utcTime(from) }),
  ...(to !== undefined && { to: utcTime(to) }),
});

/** Returns a time in the form of recorded times. */
export const utcTime = (time: string): string => firstMillisecondAt(time).toISOString();
