import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsInt, IsString, Matches, Max, Min } from 'class-validator';
import {
  GENDERS,
  PET_STATUSES,
  SIZES,
  SPECIES,
  type Gender,
  type PetDetails,
  type PetStatus,
  type Size,
  type Species,
} from '../../../libs/domain/pets/pet.events.js';
import { INT32_MAX } from '../http/collection.dto.js';
import { PRICE, PRICE_WORDING, STORED_AMOUNT, STORED_CURRENCY, UUID, UUID_WORDING } from '../http/patterns.js';
import { AS_SENT, inputOf, NOT_IN_INPUT, type InputMapping } from '../http/validation/input-mapping.js';
import {
  FreeText,
  CurrencyCode,
  Described,
  Documented,
  HttpUri,
  Nested,
  OneLine,
  Optional,
  ReadOnly,
  Schema,
} from '../http/validation/rules.js';
import { MedicalInfo } from './medical-info.dto.js';

/** The fields of a pet that staff set. */
export class PetFields {
  @OneLine(1, 50)
  @Described('The name', 'Luna')
  readonly name!: string;

  @IsString()
  @IsIn(SPECIES)
  @Described('Species', 'DOG')
  readonly species!: Species;

  @IsInt()
  @Min(0)
  @Max(INT32_MAX)
  @Described('Age in months', 18)
  readonly ageMonths!: number;

  @Optional()
  @FreeText(0, 100)
  @Described('Breed', 'Labrador Retriever')
  readonly breed?: string;

  @Optional()
  @IsString()
  @IsIn(SIZES)
  @Described('Size when grown', 'LARGE')
  readonly size?: Size;

  @Optional()
  @FreeText(0, 100)
  @Described('Colour', 'golden')
  readonly color?: string;

  @Optional()
  @IsString()
  @IsIn(GENDERS)
  @Described('Gender', 'FEMALE')
  readonly gender?: Gender;

  @Optional()
  @IsBoolean()
  @Described('Good with children', true)
  readonly goodWithKids?: boolean;

  @Optional()
  @IsString()
  @Matches(PRICE, { message: PRICE_WORDING })
  @Described('The price, with two decimals', '250.00')
  readonly price?: string;

  @Optional()
  @CurrencyCode()
  @Schema({ description: 'ISO 4217 code of the currency of the price. Default for a pet with a price: USD', examples: ['USD'] })
  readonly currency?: string;

  @Optional()
  @FreeText(0, 10_000)
  @Described('A description for future owners', 'Gentle, knows sit and stay.')
  readonly description?: string;

  @Optional()
  @IsArray()
  @ArrayMaxSize(100)
  @HttpUri({ each: true })
  @Described('The URLs of photos', ['https://pets.example.com/luna.jpg'])
  readonly photos?: readonly string[];

  @Optional()
  @Nested(() => MedicalInfo)
  @Described('Health')
  readonly medicalInfo?: MedicalInfo;
}

const STATUS =
  'AVAILABLE: can be ordered; PENDING: held by an order or by adoption applications, or set by staff; ADOPTED: adopted; NOT_AVAILABLE: not offered';

@Documented('A new pet')
export class PetRequest extends PetFields {
  @Optional()
  @IsString()
  @IsIn(PET_STATUSES)
  @Schema({ description: STATUS, default: 'AVAILABLE', examples: ['AVAILABLE'] })
  readonly status?: PetStatus;

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly id?: unknown;

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly createdAt?: unknown;

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly updatedAt?: unknown;

  @ReadOnly('Set from the header X-Tenant-ID. A value in a body is ignored')
  readonly tenantId?: unknown;
}

/** The new state of a pet. An optional field that is missing is cleared (contract 12.7). */
@Documented('The new state of a pet')
export class PetReplacement extends PetFields {
  @IsString()
  @IsIn(PET_STATUSES)
  @Described(STATUS, 'AVAILABLE')
  readonly status!: PetStatus;

  @ReadOnly('Optional. If present, it must equal the id in the path')
  readonly id?: unknown;

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly createdAt?: unknown;

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly updatedAt?: unknown;

  @ReadOnly('Set from the header X-Tenant-ID. A value in a body is ignored')
  readonly tenantId?: unknown;
}

/**
 * Returns the body without the URLs of the pet's own images, which begin with `prefix`. A GET shows these URLs, and a PUT
 * ignores them (contract 37.4). If `photos` has only such URLs, the result has no `photos`. A stored pet without links has no
 * `photos` either, so an empty list would count as a change.
 */
export const withoutImages = ({ photos, ...body }: PetReplacement, prefix: string): PetReplacement => {
  const links = photos?.filter((photo) => !photo.startsWith(prefix));
  const hadImagesOnly = links?.length === 0 && photos?.length !== 0;
  return { ...body, ...(links && !hadImagesOnly && { photos: links }) };
};

/** The representation of a pet in responses. */
@Documented('A pet')
export class Pet extends PetFields {
  @Optional()
  @IsString()
  @Matches(STORED_AMOUNT)
  @Described('The price, with two decimals', '250.00')
  override readonly price?: string;

  @Optional()
  @IsString()
  @Matches(STORED_CURRENCY)
  // The list of the request, which this property inherits, lacks currencies that were withdrawn (contract 3.7).
  @Schema({ description: 'ISO 4217 code of the currency of the price', examples: ['USD'], documented: { enum: undefined } })
  override readonly currency?: string;

  @Matches(UUID, { message: UUID_WORDING })
  @Schema({ type: 'string', format: 'uuid', readOnly: true, description: 'Set by the service' })
  readonly id!: string;

  @IsString()
  @IsIn(PET_STATUSES)
  @Described(STATUS, 'AVAILABLE')
  readonly status!: PetStatus;

  @Optional()
  @IsString()
  @Schema({ format: 'date-time', readOnly: true, description: 'When the pet was listed' })
  readonly createdAt?: string;

  @Optional()
  @IsString()
  @Schema({ format: 'date-time', readOnly: true, description: 'When the pet last changed' })
  readonly updatedAt?: string;

  @Optional()
  @Matches(UUID, { message: UUID_WORDING })
  @Schema({ type: 'string', format: 'uuid', readOnly: true, description: 'The tenant of the pet. Absent in the shared pool' })
  readonly tenantId?: string;
}

const DETAILS = {
  name: AS_SENT,
  species: AS_SENT,
  breed: AS_SENT,
  ageMonths: AS_SENT,
  size: AS_SENT,
  color: AS_SENT,
  gender: AS_SENT,
  goodWithKids: AS_SENT,
  price: AS_SENT,
  // The default currency of a price is USD (contract 12.1).
  currency: ({ currency, price }) => currency ?? (price === undefined ? undefined : 'USD'),
  description: AS_SENT,
  photos: AS_SENT,
  medicalInfo: AS_SENT,
} as const satisfies InputMapping<PetFields, PetDetails>;

/** Maps the body to the details of a new pet. The status is another argument of the command. */
export const newPetDetails = inputOf<PetRequest, PetDetails>({ ...DETAILS, status: NOT_IN_INPUT });

/** Maps the body to the new details of a pet. The status is another argument of the command. */
export const replacedPetDetails = inputOf<PetReplacement, PetDetails>({ ...DETAILS, status: NOT_IN_INPUT });
