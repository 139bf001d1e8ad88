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
import { ONE_LINE, ONE_LINE_WORDING, PRICE, PRICE_WORDING, STORED_AMOUNT, STORED_CURRENCY, UUID, UUID_WORDING } from '../http/patterns.js';
import { AS_SENT, inputOf, SEPARATE, type InputMapping } from '../http/validation/input-mapping.js';
import { Characters, CurrencyCode, Described, Documented, HttpUri, Nested, Optional, ReadOnly, Schema } from '../http/validation/rules.js';

@Documented('What is known of a pet’s health')
export class MedicalInfo {
  @Optional()
  @IsBoolean()
  @Described('Spayed or neutered', true)
  readonly spayedNeutered?: boolean;

  @Optional()
  @IsBoolean()
  @Described('Vaccinated', true)
  readonly vaccinated?: boolean;

  @Optional()
  @IsBoolean()
  @Described('Microchipped', true)
  readonly microchipped?: boolean;

  @Optional()
  @IsBoolean()
  @Described('Needs more than other pets', false)
  readonly specialNeeds?: boolean;

  @Optional()
  @Characters(0, 10_000)
  @Described('What else there is to know', 'Allergic to chicken')
  readonly healthNotes?: string;
}

/** What staff say of a pet. */
export class PetFields {
  @Characters(1, 50)
  @Matches(ONE_LINE, { message: ONE_LINE_WORDING })
  @Described('What the pet is called', 'Luna')
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
  @Characters(0, 100)
  @Described('Breed', 'Labrador Retriever')
  readonly breed?: string;

  @Optional()
  @IsString()
  @IsIn(SIZES)
  @Described('Size when grown', 'LARGE')
  readonly size?: Size;

  @Optional()
  @Characters(0, 100)
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
  @Described('Decimal amount with two decimals', '250.00')
  readonly price?: string;

  @Optional()
  @CurrencyCode()
  @Schema({ description: 'ISO 4217 code of the price; USD when a price is given without one', examples: ['USD'] })
  readonly currency?: string;

  @Optional()
  @Characters(0, 10_000)
  @Described('What a future owner should know', 'Gentle, knows sit and stay.')
  readonly description?: string;

  @Optional()
  @IsArray()
  @ArrayMaxSize(100)
  @HttpUri({ each: true })
  @Described('Pictures', ['https://pets.example.com/luna.jpg'])
  readonly photos?: readonly string[];

  @Optional()
  @Nested(() => MedicalInfo)
  @Described('Health')
  readonly medicalInfo?: MedicalInfo;
}

const STATUS =
  'AVAILABLE pets can be ordered; PENDING ones are held by an order; ADOPTED ones are gone; NOT_AVAILABLE ones are not offered';

@Documented('A pet to be listed')
export class NewPet extends PetFields {
  @Optional()
  @IsString()
  @IsIn(PET_STATUSES)
  @Schema({ description: STATUS, default: 'AVAILABLE', examples: ['AVAILABLE'] })
  readonly status?: PetStatus;

  @ReadOnly('Made by the service; ignored')
  readonly id?: unknown;

  @ReadOnly('Kept by the service; ignored')
  readonly createdAt?: unknown;

  @ReadOnly('Kept by the service; ignored')
  readonly updatedAt?: unknown;

  @ReadOnly('Follows from X-Tenant-ID; ignored')
  readonly tenantId?: unknown;
}

/** A pet as it is to be from now on: an optional field that is missing is cleared. */
@Documented('A pet as it is to be from now on')
export class PetReplacement extends PetFields {
  @IsString()
  @IsIn(PET_STATUSES)
  @Described(STATUS, 'AVAILABLE')
  readonly status!: PetStatus;

  @ReadOnly('May be sent, but must be the id in the path')
  readonly id?: unknown;

  @ReadOnly('Kept by the service; ignored')
  readonly createdAt?: unknown;

  @ReadOnly('Kept by the service; ignored')
  readonly updatedAt?: unknown;

  @ReadOnly('Follows from X-Tenant-ID; ignored')
  readonly tenantId?: unknown;
}

/** A pet as it is read. */
@Documented('A pet')
export class Pet extends PetFields {
  @Optional()
  @IsString()
  @Matches(STORED_AMOUNT)
  @Described('Decimal amount with two decimals', '250.00')
  override readonly price?: string;

  @Optional()
  @IsString()
  @Matches(STORED_CURRENCY)
  @Described('ISO 4217 code of the price', 'USD')
  override readonly currency?: string;

  @Matches(UUID, { message: UUID_WORDING })
  @Schema({ type: 'string', format: 'uuid', readOnly: true, description: 'Made by the service' })
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
  @Schema({ type: 'string', format: 'uuid', readOnly: true, description: 'The tenant; absent in the shared pool' })
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
  // "currency …, default USD when a price is given."
  currency: ({ currency, price }) => currency ?? (price === undefined ? undefined : 'USD'),
  description: AS_SENT,
  photos: AS_SENT,
  medicalInfo: AS_SENT,
} as const satisfies InputMapping<PetFields, PetDetails>;

/** The details of a new pet; its status is an argument of its own. */
export const newPetDetails = inputOf<NewPet, PetDetails>({ ...DETAILS, status: SEPARATE });

/** The details that a pet has from now on; its status is an argument of its own. */
export const replacedPetDetails = inputOf<PetReplacement, PetDetails>({ ...DETAILS, status: SEPARATE });
