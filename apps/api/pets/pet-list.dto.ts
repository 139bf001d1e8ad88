import { IsBoolean, IsIn, IsInt, IsString, Max, Min } from 'class-validator';
import type { PetFilter } from '../../../libs/application/pets/pet.queries.js';
import { PET_STATUSES, SIZES, SPECIES, type PetStatus, type Size, type Species } from '../../../libs/domain/pets/pet.events.js';
import { INT32_MAX, PageQuery } from '../http/collection.dto.js';
import type { FieldError } from '../http/problems/error-codes.js';
import { AS_SENT, inputOf, NOT_IN_INPUT } from '../http/validation/input-mapping.js';
import { Described, Optional, Schema } from '../http/validation/rules.js';

/** The values of `status` for callers without the scope write:pets (contract 12.9). */
const PUBLIC_STATUSES = ['AVAILABLE', 'PENDING', 'ADOPTED'] as const satisfies readonly PetStatus[];
/** The values of `status` for callers with the scope write:pets (contract 12.9). */
const STAFF_STATUSES = [...PET_STATUSES, 'ALL'] as const;

/** The filters that all callers may use. */
export class PetListFilters extends PageQuery {
  @Optional()
  @IsString()
  @IsIn(SPECIES)
  @Described('Only pets of this species', 'DOG')
  readonly species?: Species;

  @Optional()
  @IsInt()
  @Min(0)
  @Max(INT32_MAX)
  @Described('The minimum age in months', 6)
  readonly ageMin?: number;

  @Optional()
  @IsInt()
  @Min(0)
  @Max(INT32_MAX)
  @Described('The maximum age in months', 48)
  readonly ageMax?: number;

  @Optional()
  @IsString()
  @IsIn(SIZES)
  @Described('Only pets of this size', 'LARGE')
  readonly size?: Size;

  @Optional()
  @IsBoolean()
  @Described('true for pets that are good with children, false for pets that are not', true)
  readonly goodWithKids?: boolean;
}

/** The query for callers without the scope write:pets. The OpenAPI document describes this query. */
export class PetListQuery extends PetListFilters {
  @Optional()
  @IsString()
  @IsIn(PUBLIC_STATUSES)
  @Schema({
    description: 'Only pets with this status. NOT_AVAILABLE and ALL, which selects every status, need the scope write:pets',
    default: 'AVAILABLE',
    examples: ['AVAILABLE'],
    documented: { enum: STAFF_STATUSES },
  })
  readonly status?: (typeof PUBLIC_STATUSES)[number];
}

/** The query for callers with the scope write:pets. */
export class StaffPetListQuery extends PetListFilters {
  @Optional()
  @IsString()
  @IsIn(STAFF_STATUSES)
  @Schema({ description: 'Only pets with this status. ALL selects every status', default: 'AVAILABLE' })
  readonly status?: (typeof STAFF_STATUSES)[number];
}

/** Rejects ageMin above ageMax (contract 12.9). */
export const validateAgeRange = ({ ageMin, ageMax }: PetListFilters): readonly FieldError[] =>
  ageMin !== undefined && ageMax !== undefined && ageMin > ageMax
    ? [{ field: 'ageMin', message: 'must not be greater than ageMax', code: 'too_big' }]
    : [];

/** Maps the query to the filter of a list. The default status is AVAILABLE. */
export const petFilter = inputOf<StaffPetListQuery, PetFilter>({
  status: ({ status = 'AVAILABLE' }) => status,
  species: AS_SENT,
  ageMin: AS_SENT,
  ageMax: AS_SENT,
  size: AS_SENT,
  goodWithKids: AS_SENT,
  page: NOT_IN_INPUT,
  limit: NOT_IN_INPUT,
});
