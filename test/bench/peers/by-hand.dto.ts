import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsISO4217CurrencyCode,
  IsOptional,
  IsString,
  IsUrl,
  Length,
  Matches,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';

const SPECIES = ['DOG', 'CAT', 'RABBIT', 'BIRD', 'REPTILE', 'OTHER'];
const SIZES = ['SMALL', 'MEDIUM', 'LARGE'];
const STATUSES = ['AVAILABLE', 'PENDING', 'ADOPTED', 'NOT_AVAILABLE'];

class MedicalInfoBody {
  @IsOptional() @IsBoolean() readonly spayedNeutered?: boolean;
  @IsOptional() @IsBoolean() readonly vaccinated?: boolean;
  @IsOptional() @IsBoolean() readonly microchipped?: boolean;
  @IsOptional() @IsBoolean() readonly specialNeeds?: boolean;
  @IsOptional() @IsString() @Length(0, 10_000) readonly healthNotes?: string;
}

/** The body that creates a pet. It has the same fields as in the petstore service. */
export class CreatePetBody {
  @IsString() @Length(1, 50) readonly name!: string;
  @IsIn(SPECIES) readonly species!: string;
  @IsInt() @Min(0) readonly ageMonths!: number;
  @IsOptional() @IsString() @Length(0, 100) readonly breed?: string;
  @IsOptional() @IsIn(SIZES) readonly size?: string;
  @IsOptional() @IsString() @Length(0, 100) readonly color?: string;
  @IsOptional() @IsIn(['MALE', 'FEMALE', 'UNKNOWN']) readonly gender?: string;
  @IsOptional() @IsBoolean() readonly goodWithKids?: boolean;
  @IsOptional() @Matches(/^(0|[1-9]\d{0,9})\.\d{2}$/) readonly price?: string;
  @IsOptional() @IsISO4217CurrencyCode() readonly currency?: string;
  @IsOptional() @IsString() @Length(0, 10_000) readonly description?: string;
  @IsOptional() @IsIn(STATUSES) readonly status?: string;
  @IsOptional() @IsArray() @ArrayMaxSize(100) @IsUrl({}, { each: true }) readonly photos?: readonly string[];
  @IsOptional() @ValidateNested() @Type(() => MedicalInfoBody) readonly medicalInfo?: MedicalInfoBody;
}

class AgeRangeBody {
  @IsOptional() @IsInt() @Min(0) readonly min?: number;
  @IsOptional() @IsInt() @Min(0) readonly max?: number;
}

class CompatibilityBody {
  @IsOptional() @IsBoolean() readonly goodWithKids?: boolean;
}

class CriteriaBody {
  @IsOptional() @IsArray() @IsIn(SPECIES, { each: true }) readonly species?: readonly string[];
  @IsOptional() @ValidateNested() @Type(() => AgeRangeBody) readonly ageRange?: AgeRangeBody;
  @IsOptional() @IsArray() @IsIn(SIZES, { each: true }) readonly size?: readonly string[];
  @IsOptional() @ValidateNested() @Type(() => CompatibilityBody) readonly compatibility?: CompatibilityBody;
  @IsOptional() @ValidateNested() @Type(() => MedicalInfoBody) readonly medical?: MedicalInfoBody;
}

class SortBody {
  @IsIn(['ageMonths', 'price']) readonly field!: string;
  @IsOptional() @IsIn(['ASC', 'DESC']) readonly order?: string;
}

/** The body of a search. It has the same fields as in the petstore service. */
export class SearchBody {
  @IsOptional() @ValidateNested() @Type(() => CriteriaBody) readonly criteria?: CriteriaBody;
  @IsOptional() @ValidateNested() @Type(() => SortBody) readonly sort?: SortBody;
}

/** The query of a list. */
export class ListPetsQuery {
  @IsOptional() @IsIn(SPECIES) readonly species?: string;
  @IsOptional() @IsIn(STATUSES) readonly status?: string;
  @IsOptional() @IsIn(SIZES) readonly size?: string;
  @IsOptional() @Type(() => Number) @IsInt() @Min(0) readonly ageMin?: number;
  @IsOptional() @Type(() => Number) @IsInt() @Min(0) readonly ageMax?: number;
  @IsOptional() @IsIn(['true', 'false']) readonly goodWithKids?: string;
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) readonly page?: number;
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) @Max(100) readonly limit?: number;
}
