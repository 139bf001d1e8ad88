import { IsArray, IsBoolean, IsIn, IsInt, IsString, Max, Min, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import { MAX_REASON, type RetryChoice } from '../../../../libs/domain/operations/operator-actions.js';
import type { ParkedFilter, ParkedKind } from '../../../../libs/application/operations/parked.queries.js';
import type { RetryOutcome } from '../../../../libs/application/operations/parked.commands.js';
import type { SkipResult as Outcome } from '../../../../libs/application/operations/skip.commands.js';
import type { FieldError } from '../../http/problems/error-codes.js';
import { AS_SENT, inputOf, NOT_IN_INPUT } from '../../http/validation/input-mapping.js';
import { Characters, DateTime, Described, Documented, FreeText, Optional, Schema } from '../../http/validation/rules.js';

const KINDS = ['stream', 'key', 'delivery'] as const satisfies readonly ParkedKind[];
const OUTCOMES = ['released', 'parked', 'sent', 'waiting', 'unknown'] as const satisfies readonly RetryOutcome[];
const SKIP_OUTCOMES = ['released', 'parked', 'waiting'] as const satisfies readonly Outcome['outcome'][];
const STREAM = 'pet-0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60';
const NAME_MEANING = 'A read model, such as `pets`; `relay`; a consumer: `processes` or `announcements`; or `deliveries`';
const CAUSE_MEANING =
  'altered: an event was altered or is missing; unreadable: a newer version of the service wrote the event; exhausted, gone, ' +
  'disabled, removed: why a delivery is parked; `error-` and a digest: other errors, of which those with the same text without ids ' +
  'and numbers have one cause';
const MAX_LIMIT = 100;
/** The number of shown items of each cause without the parameter `limit`. */
export const DEFAULT_LIMIT = 20;

/** The query parameters of the list. */
@Documented('What is listed')
export class ParkedQuery {
  @Optional()
  @Characters(1, 100)
  @Described('Only items of this name', 'pets')
  readonly name?: string;

  @Optional()
  @Characters(1, 200)
  @Described('Only items of this stream', STREAM)
  readonly stream?: string;

  @Optional()
  @Characters(1, 100)
  @Described('Only items with this cause', 'exhausted')
  readonly cause?: string;

  @Optional()
  @IsInt()
  @Min(1)
  @Max(MAX_LIMIT)
  @Schema({ description: 'The maximum number of shown items of each cause', default: DEFAULT_LIMIT, examples: [DEFAULT_LIMIT] })
  readonly limit?: number;
}

/** An item in a response. */
@Documented('Something that could not be handled, and waits')
export class ParkedItem {
  @IsString()
  @Described('The stream of the event that failed', STREAM)
  readonly stream!: string;

  @IsInt()
  @Min(0)
  @Described('The revision of that event', 2)
  readonly revision!: number;

  @IsString()
  @Described('Why it failed', 'the price has no currency')
  readonly error!: string;

  @Optional()
  @IsString()
  @Described('The type of the event. Absent if the log does not have the event', 'PetDetailsRevised')
  readonly eventType?: string;

  @Optional()
  @DateTime()
  @Described('When the event was recorded', '2026-01-02T03:04:05.678Z')
  readonly eventTime?: string;

  @Optional()
  @DateTime()
  @Described('Since when the key or the delivery is parked', '2026-01-02T03:04:06.789Z')
  readonly parkedAt?: string;

  @Optional()
  @IsString()
  @Schema({ format: 'uuid', description: 'The delivery, if the item is one' })
  readonly deliveryId?: string;

  @Optional()
  @IsString()
  @Schema({ format: 'uuid', description: 'The endpoint of the delivery' })
  readonly webhookId?: string;

  @Optional()
  @IsString()
  @Schema({ format: 'uuid', description: 'The order whose callback the delivery is' })
  readonly orderId?: string;
}

/** The items that failed alike, in a response. */
@Documented('Items of one name that failed alike')
export class ParkedCause {
  @IsString()
  @Schema({
    description:
      'stream: later events of the stream wait; key: later messages of the key wait, which is a stream; delivery: no attempt follows',
    'x-extensible-enum': KINDS,
    examples: ['stream'],
  })
  readonly kind!: (typeof KINDS)[number];

  @IsString()
  @Described(NAME_MEANING, 'pets')
  readonly name!: string;

  @IsString()
  @Described(CAUSE_MEANING, 'error-3f9a1c04')
  readonly cause!: string;

  @IsInt()
  @Min(1)
  @Described('The number of items', 1)
  readonly count!: number;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ParkedItem)
  @Schema({ description: 'The first items, those that were parked first' })
  readonly items!: readonly ParkedItem[];
}

/** What is parked, in a response. */
@Documented('What could not be handled and waits, by name and cause')
export class ParkedList {
  @IsInt()
  @Min(0)
  @Described('The number of items', 1)
  readonly count!: number;

  @IsBoolean()
  @Described('Whether all items are counted. False if 1,000 deliveries or more are parked: of those, the 1,000 oldest are counted', true)
  readonly isComplete!: boolean;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ParkedCause)
  @Schema({ description: 'The items by name and cause' })
  readonly causes!: readonly ParkedCause[];
}

/** The body of a retry. */
@Documented('What to retry: `name` and `stream`, or `cause`, or `all`')
export class NewRetry {
  @Optional()
  @Characters(1, 100)
  @Described(NAME_MEANING, 'pets')
  readonly name?: string;

  @Optional()
  @Characters(1, 200)
  @Described('The stream, with `name`', STREAM)
  readonly stream?: string;

  @Optional()
  @Characters(1, 100)
  @Described('The cause of the items to retry', 'error-3f9a1c04')
  readonly cause?: string;

  @Optional()
  @IsBoolean()
  @Described('Whether to retry everything', true)
  readonly all?: boolean;

  @Optional()
  @IsBoolean()
  @Schema({ description: 'Whether to change nothing, and only return what a retry would come to', default: false })
  readonly trial?: boolean;

  @Optional()
  @FreeText(1, MAX_REASON)
  @Described('Why. It is kept in the log without expiry, so it must name no persons', 'release 5.2 handles the event')
  readonly reason?: string;
}

/** The result of a retry of one item, in a response. */
@Documented('What the retry of an item has come to')
export class RetryResult {
  @IsString()
  @Described(NAME_MEANING, 'pets')
  readonly name!: string;

  @IsString()
  @Described('The stream', STREAM)
  readonly stream!: string;

  @IsInt()
  @Min(0)
  @Described('The revision of the event that failed', 2)
  readonly revision!: number;

  @IsString()
  @Described(CAUSE_MEANING, 'error-3f9a1c04')
  readonly cause!: string;

  @Optional()
  @IsString()
  @Schema({ format: 'uuid', description: 'The delivery, if the item is one' })
  readonly deliveryId?: string;

  @IsString()
  @IsIn(OUTCOMES)
  @Schema({
    description:
      'released: it no longer waits; parked: it failed again; sent: a worker sends the delivery; waiting: no process that runs has ' +
      'retried it yet; unknown: only a retry shows it, not a trial',
    'x-extensible-enum': OUTCOMES,
    examples: ['released'],
  })
  readonly outcome!: (typeof OUTCOMES)[number];

  @Optional()
  @IsString()
  @Described('Why it is still parked', 'the price has no currency')
  readonly error?: string;
}

/** The results of a retry, in a response. */
@Documented('What a retry has come to')
export class RetryResults {
  @IsBoolean()
  @Described('Whether nothing was changed', false)
  readonly trial!: boolean;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => RetryResult)
  @Described('The result of each item, in the order of the retries')
  readonly results!: readonly RetryResult[];
}

/** The event that a read model or consumer has parked, in the body of a request. */
@Documented('The event, and the read model or consumer that is to leave it out')
export class NewSkip {
  @Characters(1, 100)
  @Described('A read model, such as `pets`, or a consumer: `processes` or `announcements`', 'pets')
  readonly name!: string;

  @Characters(1, 200)
  @Described('The stream', STREAM)
  readonly stream!: string;

  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  @Described('The revision of the event. The first event, whose revision is 0, cannot be skipped', 2)
  readonly revision!: number;

  @FreeText(1, MAX_REASON)
  @Described('Why. It is kept in the log without expiry, so it must name no persons', 'the supplier sent a price without a currency')
  readonly reason!: string;
}

/** The skipped event that is to count again, in the body of a request. */
@Documented('The event, and the read model or consumer that leaves it out')
export class NewUnskip {
  @Characters(1, 100)
  @Described('A read model, such as `pets`, or a consumer: `processes` or `announcements`', 'pets')
  readonly name!: string;

  @Characters(1, 200)
  @Described('The stream', STREAM)
  readonly stream!: string;

  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  @Described('The revision of the event', 2)
  readonly revision!: number;

  @Optional()
  @FreeText(1, MAX_REASON)
  @Described('Why. It is kept in the log without expiry, so it must name no persons', 'release 5.2 handles the event')
  readonly reason?: string;
}

/** What came of a skip or of its end, in a response. */
@Documented('What became of the stream')
export class SkipResult {
  @IsString()
  @Described('The read model or consumer', 'pets')
  readonly name!: string;

  @IsString()
  @Described('The stream', STREAM)
  readonly stream!: string;

  @IsInt()
  @Min(0)
  @Described('The revision of the event; if the stream is parked, that of the event that fails now', 2)
  readonly revision!: number;

  @IsString()
  @IsIn(SKIP_OUTCOMES)
  @Schema({
    description:
      'released: the stream no longer waits; parked: it is parked at this revision; waiting: no process that runs has retried it yet',
    'x-extensible-enum': SKIP_OUTCOMES,
    examples: ['released'],
  })
  readonly outcome!: (typeof SKIP_OUTCOMES)[number];

  @Optional()
  @IsString()
  @Described('Why it is parked', 'the price has no currency')
  readonly error?: string;
}

/** A skipped event in a response. */
@Documented('An event that a read model or consumer leaves out')
export class SkippedEvent {
  @IsString()
  @Described('The read model or consumer', 'pets')
  readonly name!: string;

  @IsString()
  @Described('The stream', STREAM)
  readonly stream!: string;

  @IsInt()
  @Min(1)
  @Described('The revision of the event', 2)
  readonly revision!: number;

  @DateTime()
  @Described('Since when', '2026-01-02T03:04:05.678Z')
  readonly since!: string;

  @IsString()
  @Described('The subject of the token of the operator', 'ann')
  readonly by!: string;

  @IsString()
  @Described('Why', 'the supplier sent a price without a currency')
  readonly reason!: string;
}

/** All skipped events, in a response. */
@Documented('The skipped events, in the order in which they were skipped')
export class SkippedEvents {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => SkippedEvent)
  @Described('The events')
  readonly data!: readonly SkippedEvent[];
}

/** Rejects a choice that is none, or more than one. */
export const validateChoice = ({ name, stream, cause, all }: NewRetry): readonly FieldError[] => {
  const isOne = name !== undefined && stream !== undefined;
  const chosen = [isOne, cause !== undefined, all === true].filter(Boolean).length;
  const isPartial = !isOne && (name !== undefined || stream !== undefined);
  if (chosen === 1 && !isPartial) return [];
  if (isPartial)
    return [{ field: name === undefined ? 'name' : 'stream', message: 'is required: send name and stream together', code: 'required' }];
  return [{ field: 'all', message: 'send either name and stream, or cause, or all with the value true', code: 'mismatch' }];
};

/** Maps the query to the filter of a list. */
export const parkedFilter = inputOf<ParkedQuery, ParkedFilter>({
  name: AS_SENT,
  stream: AS_SENT,
  cause: AS_SENT,
  limit: NOT_IN_INPUT,
});

/** Maps the body to the choice of a retry. */
export const retryChoice = inputOf<NewRetry, RetryChoice>({
  name: AS_SENT,
  stream: AS_SENT,
  cause: AS_SENT,
  all: NOT_IN_INPUT,
  trial: NOT_IN_INPUT,
  reason: NOT_IN_INPUT,
});
