import { IsArray, IsBoolean, IsInt, IsString, Max, Min, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import { STUCK_KINDS } from '../../../../libs/application/operations/stuck.js';
import { STUCK_AFTER, type StuckCause } from '../../../../libs/application/operations/stuck.queries.js';
import { DateTime, Described, Documented, Optional, Schema } from '../../http/validation/rules.js';

const CAUSES = [
  'parked',
  'skipped',
  'broken',
  'paused',
  'behind',
  'not-published',
  'gateway',
  'receiver',
  'unknown',
] as const satisfies readonly StuckCause[];
const STREAM = 'order-0190a6b3-1a2b-7c45-8d6e-4f8b2c6d3e91';
const PAYMENT = 'payment-0190a6b4-2b3c-7d56-9e7f-5a9c3d7e4f82';
const KIND_MEANING = 'What has not happened, as docs/operations.md explains it';
const MAX_LIMIT = 1_000;
/** The number of shown items without the parameter `limit`. */
export const DEFAULT_LIMIT = 100;
/** Seconds, without the parameter `olderThan`. */
export const DEFAULT_OLDER_THAN = STUCK_AFTER / 1_000;
const YEAR = 365 * 24 * 3_600;

/** The query parameters of the list. */
@Documented('What is listed')
export class StuckQuery {
  @Optional()
  @IsInt()
  @Min(0)
  @Max(YEAR)
  @Schema({
    description: 'Only what waits at least so many seconds longer than it should',
    default: DEFAULT_OLDER_THAN,
    examples: [DEFAULT_OLDER_THAN],
  })
  readonly olderThan?: number;

  @Optional()
  @IsInt()
  @Min(1)
  @Max(MAX_LIMIT)
  @Schema({ description: 'The maximum number of shown items', default: DEFAULT_LIMIT, examples: [DEFAULT_LIMIT] })
  readonly limit?: number;
}

/** The number of one kind, in a response. */
@Documented('How many of one kind are stuck')
export class StuckCount {
  @IsString()
  @Schema({ description: KIND_MEANING, 'x-extensible-enum': STUCK_KINDS, examples: ['order-not-approved'] })
  readonly kind!: (typeof STUCK_KINDS)[number];

  @IsInt()
  @Min(1)
  @Described('The number', 1)
  readonly count!: number;

  @DateTime()
  @Described('Since when the oldest of them waits', '2026-01-02T03:04:05.678Z')
  readonly oldest!: string;
}

/** Something stuck, in a response. */
@Documented('Something that should have happened and has not')
export class StuckItem {
  @IsString()
  @Schema({ description: KIND_MEANING, 'x-extensible-enum': STUCK_KINDS, examples: ['order-not-approved'] })
  readonly kind!: (typeof STUCK_KINDS)[number];

  @IsString()
  @Described('The tenant: a UUID, or `shared`', 'shared')
  readonly tenant!: string;

  @DateTime()
  @Described('Since when it should have happened', '2026-01-02T03:04:05.678Z')
  readonly since!: string;

  @IsString()
  @Described('The stream of what waits', STREAM)
  readonly stream!: string;

  @IsArray()
  @IsString({ each: true })
  @Schema({ description: 'The other streams that it needs', examples: [[PAYMENT]] })
  readonly related!: readonly string[];

  @IsString()
  @Schema({
    description:
      'parked: a reader or consumer has parked a stream of it; skipped: an operator lets the processes leave out an event of it; broken: a ' +
      'stream of it was altered or cannot be read; paused, behind: the timer does not see it, because a read model is paused or lacks ' +
      'events; not-published: the topic does not have the event yet; gateway: the payment gateway has not answered; receiver: the ' +
      'receiver has not accepted it; unknown: nothing waits for it',
    'x-extensible-enum': CAUSES,
    examples: ['parked'],
  })
  readonly cause!: (typeof CAUSES)[number];

  @IsString()
  @Described('Why, as far as the store knows', `processes has parked ${PAYMENT} at revision 1: the price has no currency`)
  readonly why!: string;

  @IsString()
  @Described('What helps: a command, or a sentence', `install a release that handles the event, then: petstore retry processes ${PAYMENT}`)
  readonly helps!: string;

  @Optional()
  @IsString()
  @Schema({ format: 'uuid', description: 'The delivery, if a delivery is stuck' })
  readonly deliveryId?: string;

  @Optional()
  @IsString()
  @Schema({ format: 'uuid', description: 'The endpoint of the delivery' })
  readonly webhookId?: string;
}

/** What is stuck, in a response. */
@Documented('What is stuck, those that wait the longest first')
export class StuckList {
  @IsInt()
  @Min(0)
  @Described('The number of all that is stuck', 1)
  readonly count!: number;

  @IsBoolean()
  @Described('Whether everything was looked at. False if more is open than one search looks at: then what waits the longest was', true)
  readonly isComplete!: boolean;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => StuckCount)
  @Schema({ description: 'The numbers by kind' })
  readonly kinds!: readonly StuckCount[];

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => StuckItem)
  @Schema({ description: 'The first items' })
  readonly items!: readonly StuckItem[];
}
