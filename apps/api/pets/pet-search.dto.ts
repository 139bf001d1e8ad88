import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsInt, IsString, Max, Min } from 'class-validator';
import type { PetCriteria, PetSort } from '../../../libs/application/pets/pet.queries.js';
import { SIZES, SPECIES, type Size, type Species } from '../../../libs/domain/pets/pet.events.js';
import { INT32_MAX, PageQuery } from '../http/collection.dto.js';
import type { FieldError } from '../http/problems/error-codes.js';
import { AS_SENT, inputOf } from '../http/validation/input-mapping.js';
import { Described, Documented, Nested, Optional, Schema } from '../http/validation/rules.js';

const SORT_FIELDS = ['ageMonths', 'price'] as const;
const SORT_ORDERS = ['ASC', 'DESC'] as const;

@Documented('Ages in months, both ends included')
export class AgeRange {
  @Optional()
  @IsInt()
  @Min(0)
  @Max(INT32_MAX)
  @Described('The minimum age in months', 6)
  readonly min?: number;

  @Optional()
  @IsInt()
  @Min(0)
  @Max(INT32_MAX)
  @Described('The maximum age in months', 48)
  readonly max?: number;
}

@Documented('The required compatibility of a pet')
export class Compatibility {
  @Optional()
  @IsBoolean()
  @Described('Good with children', true)
  readonly goodWithKids?: boolean;
}

@Documented('The required health of a pet')
export class MedicalCriteria {
  @Optional()
  @IsBoolean()
  @Described('Vaccinated', true)
  readonly vaccinated?: boolean;

  @Optional()
  @IsBoolean()
  @Described('Spayed or neutered', true)
  readonly spayedNeutered?: boolean;

  @Optional()
  @IsBoolean()
  @Described('Has special needs', false)
  readonly specialNeeds?: boolean;
}

/** The criteria of a search. An absent criterion, or an empty list, excludes nothing (contract 12.11). */
@Documented('The criteria of a search. A pet must meet all of them')
export class SearchCriteria {
  @Optional()
  @IsArray()
  @ArrayMaxSize(20)
  @IsString({ each: true })
  @IsIn(SPECIES, { each: true })
  @Described('Only pets of one of these species', ['DOG', 'CAT'])
  readonly species?: readonly Species[];

  @Optional()
  @Nested(() => AgeRange)
  @Described('Age')
  readonly ageRange?: AgeRange;

  @Optional()
  @IsArray()
  @ArrayMaxSize(20)
  @IsString({ each: true })
  @IsIn(SIZES, { each: true })
  @Described('Only pets of one of these sizes', ['SMALL', 'MEDIUM'])
  readonly size?: readonly Size[];

  @Optional()
  @Nested(() => Compatibility)
  @Described('Compatibility')
  readonly compatibility?: Compatibility;

  @Optional()
  @Nested(() => MedicalCriteria)
  @Described('Health')
  readonly medical?: MedicalCriteria;
}

@Documented('The order of the pets')
export class SearchSort {
  @IsString()
  @IsIn(SORT_FIELDS)
  @Described('The field to sort by. If it is `price`, pets without a price come last', 'price')
  readonly field!: (typeof SORT_FIELDS)[number];

  @Optional()
  @IsString()
  @IsIn(SORT_ORDERS)
  @Schema({ description: 'Ascending or descending', default: 'ASC', examples: ['ASC'] })
  readonly order?: (typeof SORT_ORDERS)[number];
}

/** A search. Every part is optional (contract 12.10). */
@Documented('A search for pets')
export class PetSearch {
  @Optional()
  @Nested(() => SearchCriteria)
  @Described('The criteria')
  readonly criteria?: SearchCriteria;

  @Optional()
  @Nested(() => SearchSort)
  @Described('The order of the pets. Default: newest first')
  readonly sort?: SearchSort;

  @Optional()
  @Nested(() => PageQuery)
  @Described('The requested page')
  readonly pagination?: PageQuery;
}

/** Rejects an age range with min above max (contract 12.11). */
export const validateSearchRange = ({ criteria }: PetSearch): readonly FieldError[] => {
  const { min, max } = criteria?.ageRange ?? {};
  return min !== undefined && max !== undefined && min > max
    ? [{ field: 'criteria.ageRange.min', message: 'must not be greater than criteria.ageRange.max', code: 'too_big' }]
    : [];
};

/** Returns undefined for an empty list, because an empty list excludes nothing (contract 12.11). */
const nonEmpty = <T>(list: readonly T[] | undefined): readonly T[] | undefined => (list?.length ? list : undefined);

const criteriaOf = inputOf<SearchCriteria, PetCriteria>({
  species: ({ species }) => nonEmpty(species),
  ageRange: AS_SENT,
  size: ({ size }) => nonEmpty(size),
  compatibility: AS_SENT,
  medical: AS_SENT,
});

const sortOf = inputOf<SearchSort, PetSort>({ field: AS_SENT, order: ({ order = 'ASC' }) => order });

/** Maps the body to the criteria of a search. */
export const searchCriteria = ({ criteria = {} }: PetSearch): PetCriteria => criteriaOf(criteria);

/** Maps the body to the order of a search. Returns undefined for the default order, newest first. */
export const searchSort = ({ sort }: PetSearch): PetSort | undefined => sort && sortOf(sort);
