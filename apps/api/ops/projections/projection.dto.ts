import { IsArray, IsInt, IsString, Min, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import { MAX_REASON } from '../../../../libs/domain/operations/operator-actions.js';
import type { ProjectionStatus } from '../../../../libs/application/operations/projection.queries.js';
import { DateTime, Described, Documented, FreeText, Nested, Optional, Schema } from '../../http/validation/rules.js';

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

  @Schema({
    type: ['integer', 'null'],
    description: 'The number of events that it lacks, on several machines counted up to 1,000. null: unknown',
    examples: [0],
  })
  readonly behind!: number | null;

  @Schema({ type: ['number', 'null'], description: 'The age of the first of these events in seconds. null: unknown', examples: [0] })
  readonly behindSeconds!: number | null;

  @Schema({
    type: ['integer', 'null'],
    description: 'The seconds until it lacks none, by its speed since an earlier request. null: unknown, or it lacks none',
    examples: [null],
  })
  readonly secondsLeft!: number | null;

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
