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
  @Described('At least this many months', 6)
  readonly min?: number;

  @Optional()
  @IsInt()
  @Min(0)
  @Max(INT32_MAX)
  @Described('At most this many months', 48)
  readonly max?: number;
}

@Documented('Whom a pet gets along with')
export class Compatibility {
  @Optional()
  @IsBoolean()
  @Described('Good with children', true)
  readonly goodWithKids?: boolean;
}

@Documented('What must be true of a pet’s health')
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
  @Described('Needs more than other pets', false)
  readonly specialNeeds?: boolean;
}

/** What pets must meet, all of it. A criterion that is absent, or an empty list, rules nothing out. */
@Documented('What pets must meet, all of it')
export class SearchCriteria {
  @Optional()
  @IsArray()
  @ArrayMaxSize(20)
  @IsString({ each: true })
  @IsIn(SPECIES, { each: true })
  @Described('One of these species', ['DOG', 'CAT'])
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
  @Described('One of these sizes', ['SMALL', 'MEDIUM'])
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

@Documented('In which order pets come')
export class SearchSort {
  @IsString()
  @IsIn(SORT_FIELDS)
  @Described('By what; pets without a price come last', 'price')
  readonly field!: (typeof SORT_FIELDS)[number];

  @Optional()
  @IsString()
  @IsIn(SORT_ORDERS)
  @Schema({ description: 'Upwards or downwards', default: 'ASC', examples: ['ASC'] })
  readonly order?: (typeof SORT_ORDERS)[number];
}

/** A search: "`criteria`, `sort`, `pagination` are each optional" */
@Documented('A search for pets')
export class PetSearch {
  @Optional()
  @Nested(() => SearchCriteria)
  @Described('What pets must meet')
  readonly criteria?: SearchCriteria;

  @Optional()
  @Nested(() => SearchSort)
  @Described('In which order they come; newest first without it')
  readonly sort?: SearchSort;

  @Optional()
  @Nested(() => PageQuery)
  @Described('Which page')
  readonly pagination?: PageQuery;
}

/** A range that ends before it begins. */
export const validateSearchRange = ({ criteria }: PetSearch): readonly FieldError[] => {
  const { min, max } = criteria?.ageRange ?? {};
  return min !== undefined && max !== undefined && min > max
    ? [{ field: 'criteria.ageRange.min', message: 'must not be greater than criteria.ageRange.max', code: 'too_big' }]
    : [];
};

const nonEmpty = <T>(list: readonly T[] | undefined): readonly T[] | undefined => (list?.length ? list : undefined);

const criteriaOf = inputOf<SearchCriteria, PetCriteria>({
  species: ({ species }) => nonEmpty(species),
  ageRange: AS_SENT,
  size: ({ size }) => nonEmpty(size),
  compatibility: AS_SENT,
  medical: AS_SENT,
});

const sortOf = inputOf<SearchSort, PetSort>({ field: AS_SENT, order: ({ order = 'ASC' }) => order });

/** The criteria of a search; an empty list rules nothing out. */
export const searchCriteria = ({ criteria = {} }: PetSearch): PetCriteria => criteriaOf(criteria);

/** In which order a search wants its pets, if it says. */
export const searchSort = ({ sort }: PetSearch): PetSort | undefined => sort && sortOf(sort);
