import { Allow, IsArray, IsInt, IsString, Max, Min, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import { INT32_MAX, Links, Pagination } from '../http/collection.dto.js';
import type { FieldError } from '../http/problems/error-codes.js';
import { DateTime, Described, Documented, Nested, Optional, Schema } from '../http/validation/rules.js';

/** The change of one field by an event, as a response shows it. */
@Documented('The change of one field. `from` and `to` have the same form as the field in other responses')
export class FieldDifference {
  @IsString()
  @Described('The dotted path of the field', 'medicalInfo.vaccinated')
  readonly field!: string;

  @Optional()
  @Allow()
  @Schema({ description: 'The value before the event; absent if the event added the field' })
  readonly from?: unknown;

  @Optional()
  @Allow()
  @Schema({ description: 'The value after the event; absent if the event removed the field' })
  readonly to?: unknown;
}

/** The members that every event in a response has. */
class EventMembers {
  @IsString()
  @Schema({ format: 'uuid', description: 'The id of the event' })
  readonly id!: string;

  @IsString()
  @Described('The stream of the event', 'pet-0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60')
  readonly stream!: string;

  @IsInt()
  @Min(0)
  @Described('The number of the event in its stream, from 0', 3)
  readonly revision!: number;

  @IsString()
  @Described('The type of the event', 'PetReserved')
  readonly type!: string;

  @DateTime()
  @Described('When the event was recorded', '2026-01-02T03:04:05.678Z')
  readonly time!: string;

  @IsString()
  @Described(
    'Who caused the event: the subject of a token, `client:` and the id of a program, `anonymous`, or `process:` and the name of a process',
    'staff',
  )
  readonly actor!: string;

  @Optional()
  @IsString()
  @Described('The name of the program that caused the event; absent if a person or the service caused it', 'Stock sync')
  readonly actorName?: string;

  @IsString()
  @Described('The id of the tenant, or `shared`', 'shared')
  readonly tenant!: string;

  @Optional()
  @IsString()
  @Described('The id of the request that caused the event', '0190a6b9-0f1e-7b2c-8d3e-4f5061728394')
  readonly requestId?: string;

  @IsString()
  @Described('An id that is the same for all events that one request caused', '0190a6b9-0f1e-7b2c-8d3e-4f5061728394')
  readonly correlationId!: string;

  @IsString()
  @Described('The id of the request or the event that directly caused this event', '0190a6b9-0f1e-7b2c-8d3e-4f5061728394')
  readonly causationId!: string;

  @Optional()
  @IsArray()
  @IsString({ each: true })
  @Described('The read models and consumers that leave the event out, because an operator has skipped it; absent if there are none', [
    'pets',
  ])
  readonly skippedBy?: readonly string[];

  @Allow()
  @Schema({
    type: 'object',
    additionalProperties: true,
    description:
      'The data of the event. An erased personal value is null. ' +
      'If the token does not permit the caller to read a personal value, the value is `{"withheld": true}`',
  })
  readonly data!: unknown;
}

/** An event in a response. */
@Documented('A recorded event')
export class AuditedEvent extends EventMembers {
  @Optional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => FieldDifference)
  @Described('The fields of the resource that the event changed; present only with the query parameter `changed`')
  readonly changes?: readonly FieldDifference[];
}

/** An event with the fields that it changed, as a response shows it. */
@Documented('An event and its changes')
export class AuditedChange extends EventMembers {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => FieldDifference)
  @Described('The fields of the resource that the event changed')
  readonly changes!: readonly FieldDifference[];
}

/** A page of a history in a response. */
@Documented('A page of a history')
export class StreamHistory {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => AuditedChange)
  @Described('The events on this page, oldest first')
  readonly data!: readonly AuditedChange[];

  @Nested(() => Pagination)
  readonly pagination!: Pagination;

  @Nested(() => Links)
  readonly links!: Links;
}

/** The query parameters that select a past state. */
@Documented('The requested moment. Without a parameter, the moment is the present')
export class MomentQuery {
  @Optional()
  @DateTime()
  @Described('Requests the state at this time. The state includes events with exactly this time', '2026-01-02T03:04:05.678Z')
  readonly asOf?: string;

  @Optional()
  @IsInt()
  @Min(0)
  @Max(INT32_MAX)
  @Described('Requests the state after the event with this number. The first event has the number 0', 3)
  readonly revision?: number;
}

/** Returns an error for a query with both a time and a revision (contract 35.12). */
export const validateMoment = ({ asOf, revision }: MomentQuery): readonly FieldError[] =>
  asOf !== undefined && revision !== undefined
    ? [{ field: 'revision', message: 'must not be sent together with asOf', code: 'mismatch' }]
    : [];

/** A past state in a response. */
@Documented('The state of a resource after one of its events')
export class AuditedState {
  @IsString()
  @Described('The stream of the resource', 'pet-0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60')
  readonly stream!: string;

  @IsInt()
  @Min(0)
  @Described('The number of the last event up to the requested moment. The first event has the number 0', 3)
  readonly revision!: number;

  @DateTime()
  @Described('The time of the last event up to the requested moment', '2026-01-02T03:04:05.678Z')
  readonly time!: string;

  @Allow()
  @Schema({
    type: 'object',
    additionalProperties: true,
    description:
      'The resource as it was. An erased personal value is null. ' +
      'If the token does not permit the caller to read a personal value, the value is `{"withheld": true}`',
  })
  readonly state!: unknown;
}
