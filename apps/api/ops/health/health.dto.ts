import { IsArray, IsIn, IsInt, IsString, Min, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import { DateTime, Described, Documented, Nested, Optional, Schema } from '../../http/validation/rules.js';

const STATES = ['unverified', 'whole', 'altered'] as const;
const FAULTS = ['altered', 'missing', 'rewritten', 'checkpoint', 'time', 'claim'] as const;
const BROKEN = ['altered', 'unreadable'] as const;
const STREAM = 'pet-0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60';

/** A range of events in a response. */
@Documented('A range of events. The events of the log are numbered from 1')
export class EventRange {
  @IsInt()
  @Min(1)
  @Described('The number of the first event', 120)
  readonly from!: number;

  @IsInt()
  @Min(1)
  @Described('The number of the last event', 180)
  readonly to!: number;
}

/** A fault that an audit of the log has found, in a response. */
@Documented('A fault that an audit of the log has found')
export class AuditFault {
  @IsString()
  @Schema({ description: 'The kind of the fault, as docs/audit.md explains it', 'x-extensible-enum': FAULTS, examples: ['altered'] })
  readonly kind!: (typeof FAULTS)[number];

  @Optional()
  @IsString()
  @Described('The stream of the event', STREAM)
  readonly stream?: string;

  @Optional()
  @IsInt()
  @Min(0)
  @Described('The revision of the event', 2)
  readonly revision?: number;

  @Optional()
  @Nested(() => EventRange)
  readonly range?: EventRange;

  @IsString()
  @Described('What is wrong', `event 2 of ${STREAM} does not match its hash`)
  readonly reason!: string;

  @IsString()
  @Described('What to do', 'Restore a backup from before the change.')
  readonly remedy!: string;
}

/** The results of the audits of the log, in a response. */
@Documented('What the audits of the log have found')
export class AuditHealth {
  @IsString()
  @IsIn(STATES)
  @Described(
    'unverified: no audit has ended yet; whole: the audits have found no fault up to verifiedPosition, and later events are not verified yet; altered: an audit has found a fault',
    'whole',
  )
  readonly state!: (typeof STATES)[number];

  @Optional()
  @IsInt()
  @Min(0)
  @Described('The position up to which the last audit without a fault has verified the log', 1200)
  readonly verifiedPosition?: number;

  @Optional()
  @DateTime()
  @Schema({ description: 'When the last audit without a fault ended' })
  readonly verifiedAt?: string;

  @IsInt()
  @Min(0)
  @Described('The number of events after verifiedPosition, which no audit has verified yet. Counted up to 1,000', 12)
  readonly unverifiedCount!: number;

  @Optional()
  @DateTime()
  @Schema({ description: 'When the last audit ended' })
  readonly endedAt?: string;

  @IsInt()
  @Min(0)
  @Described('The number of faults', 0)
  readonly faultCount!: number;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => AuditFault)
  @Schema({ description: 'The first faults' })
  readonly faults!: readonly AuditFault[];
}

/** A broken stream in a response. */
@Documented('A broken stream. Requests for its resource get the response 503')
export class BrokenStream {
  @IsString()
  @Described('The stream', STREAM)
  readonly stream!: string;

  @IsInt()
  @Min(0)
  @Described('The revision of the first event that is altered, unreadable or missing', 2)
  readonly revision!: number;

  @IsString()
  @Schema({
    description: 'altered: the event was altered or is missing; unreadable: a newer version of the service wrote the event',
    'x-extensible-enum': BROKEN,
    examples: ['altered'],
  })
  readonly kind!: (typeof BROKEN)[number];

  @IsString()
  @Described('What is wrong', `event 2 of ${STREAM} does not match its hash`)
  readonly reason!: string;
}

/** The health of the log in a response. */
@Documented('The health of the log, with details that /health/ready does not show')
export class StoreHealth {
  @IsString()
  @Described('The version of the program that answers', '1.0.0')
  readonly version!: string;

  @Nested(() => AuditHealth)
  readonly audit!: AuditHealth;

  @IsInt()
  @Min(0)
  @Described('The number of broken streams', 0)
  readonly brokenStreamCount!: number;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => BrokenStream)
  @Schema({ description: 'The first broken streams, at most 100' })
  readonly brokenStreams!: readonly BrokenStream[];
}
