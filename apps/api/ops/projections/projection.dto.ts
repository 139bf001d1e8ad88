import { Allow, IsArray, IsBoolean, IsInt, IsString, Min, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import { MAX_REASON } from '../../../../libs/domain/operations/operator-actions.js';
import type { Fill } from '../../../../libs/runtime/operating/operator-state.js';
import type { ProjectionStatus } from '../../../../libs/application/operations/projection.queries.js';
import { DateTime, Described, Documented, FreeText, Nested, Optional, Schema } from '../../http/validation/rules.js';

const FILL_STATES = ['filling', 'held', 'differs'] as const satisfies readonly Fill['state'][];
const KEPT = ['replaced', 'fill'] as const satisfies readonly ProjectionStatus['kept'][];
const STATUSES = ['running', 'filling', 'paused'] as const satisfies readonly ProjectionStatus['status'][];

/** The body of an action of an operator. */
@Documented('Why an operator acts')
export class ActionReason {
  @Optional()
  @FreeText(1, MAX_REASON)
  @Described('Why. It is kept in the log without expiry, so it must name no persons', 'release 5.2 will repair it')
  readonly reason?: string;
}

/** A pause in a response. */
@Documented('A pause of a read model')
export class ProjectionPause {
  @DateTime()
  @Described('Since when', '2026-01-02T03:04:05.678Z')
  readonly since!: string;

  @IsString()
  @Described('The subject of the token of the operator', 'ann')
  readonly by!: string;

  @Optional()
  @IsString()
  @Described('Why', 'release 5.2 will repair it')
  readonly reason?: string;
}

/** The body of a rebuild. */
@Documented('How to rebuild a read model')
export class NewRebuild extends ActionReason {
  @Optional()
  @IsBoolean()
  @Schema({ description: 'Whether the fill replaces the read model only when an operator switches to it', default: false })
  readonly hold?: boolean;
}

/** The body of a switch. */
@Documented('What queries are to read')
export class NewSwitch extends ActionReason {
  @Optional()
  @IsBoolean()
  @Schema({ description: 'Whether to go back to what a fill has replaced', default: false })
  readonly back?: boolean;
}

/** The body of a drop. */
@Documented('Why a fill is dropped')
export class DropReason {
  @FreeText(1, MAX_REASON)
  @Described('Why. It is kept in the log without expiry, so it must name no persons', 'it is not needed')
  readonly reason!: string;
}

/** A second fill in a response. */
@Documented('A second fill of a read model')
export class ProjectionFill {
  @IsString()
  @Schema({
    description:
      'filling: it has not reached the end of the log, or is not compared; held: it is equal, and waits for a switch; differs: it is not ' +
      'equal, and waits for a switch',
    'x-extensible-enum': FILL_STATES,
    examples: ['filling'],
  })
  readonly state!: (typeof FILL_STATES)[number];

  @DateTime()
  @Described('Since when', '2026-01-02T03:04:05.678Z')
  readonly since!: string;

  @IsString()
  @Described('The subject of the token of the operator', 'ann')
  readonly by!: string;

  @IsBoolean()
  @Described('Whether it waits for a switch although it is equal', false)
  readonly hold!: boolean;

  @Optional()
  @IsString()
  @Described('What differs', 'the document 0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60 differs')
  readonly difference?: string;

  @Allow()
  @Schema({
    type: ['integer', 'null'],
    description: 'The position of the last event that it has handled. null: nobody fills it yet',
    examples: [700],
  })
  readonly position!: number | null;
}

/** The last error of a read model in a response. */
@Documented('Why a read model has failed, or why it has parked a stream')
export class ProjectionError {
  @IsString()
  @Described('The error', 'the price has no currency')
  readonly error!: string;

  @Optional()
  @DateTime()
  @Described('When. Absent of a parked stream', '2026-01-02T03:04:05.678Z')
  readonly at?: string;
}

/** A read model in a response. */
@Documented('The state of a read model')
export class ProjectionState {
  @IsString()
  @Described('The name', 'pets')
  readonly name!: string;

  @IsInt()
  @Min(1)
  @Described('The version that this release uses', 2)
  readonly version!: number;

  @IsString()
  @Schema({
    description:
      'running: it follows the log; filling: a new version is filled, and queries read the previous one, if there is one; ' +
      'paused: an operator has paused it',
    'x-extensible-enum': STATUSES,
    examples: ['running'],
  })
  readonly status!: (typeof STATUSES)[number];

  @IsInt()
  @Min(0)
  @Described('The position of the last event that it has handled', 1200)
  readonly position!: number;

  @Allow()
  @Schema({
    type: ['integer', 'null'],
    description: 'The number of events that it lacks, on several machines counted up to 1,000. null: unknown',
    examples: [0],
  })
  readonly behind!: number | null;

  @Allow()
  @Schema({ type: ['number', 'null'], description: 'The age of the first of these events in seconds. null: unknown', examples: [0] })
  readonly behindSeconds!: number | null;

  @Allow()
  @Schema({
    type: ['integer', 'null'],
    description: 'The seconds until it lacks none, by its speed since an earlier request. null: unknown, or it lacks none',
    examples: [null],
  })
  readonly secondsLeft!: number | null;

  @Allow()
  @Schema({
    type: ['integer', 'null'],
    description: 'The number of events that it handles in a second, since an earlier request. null: unknown',
    examples: [40],
  })
  readonly eventsPerSecond!: number | null;

  @Optional()
  @Nested(() => ProjectionError)
  readonly lastError?: ProjectionError;

  @Allow()
  @Schema({
    type: ['string', 'null'],
    description: 'The process that projects it. null: none does',
    examples: ['worker-1/4711'],
  })
  readonly owner!: string | null;

  @IsInt()
  @Min(0)
  @Described('The number of its parked streams', 0)
  readonly parked!: number;

  @Optional()
  @Nested(() => ProjectionPause)
  readonly pause?: ProjectionPause;

  @Optional()
  @Nested(() => ProjectionFill)
  readonly fill?: ProjectionFill;

  @Optional()
  @DateTime()
  @Described('Until when what a fill has replaced is kept. Absent if nothing is', '2026-01-03T03:04:05.678Z')
  readonly keptUntil?: string;

  @Optional()
  @IsString()
  @Schema({
    description: 'What is kept until then. replaced: what a fill has replaced; fill: the fill itself, because an operator went back',
    'x-extensible-enum': KEPT,
    examples: ['replaced'],
  })
  readonly kept?: (typeof KEPT)[number];

  @IsString()
  @Described(
    'The entity tag of what operators have decided about it: with it as `If-Match`, an action is refused if somebody has acted since',
    '"zVmVyl3Ar5XqHnZR"',
  )
  readonly etag!: string;

  @IsArray()
  @IsString({ each: true })
  @Described('What stops besides reads while it is paused', ['unpaid orders do not expire, so their pets stay reserved'])
  readonly stoppedByPause!: readonly string[];
}

/** All read models, in a response. */
@Documented('The states of all read models')
export class ProjectionStates {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ProjectionState)
  @Described('The read models')
  readonly data!: readonly ProjectionState[];
}
