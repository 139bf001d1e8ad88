import type { Gender, MedicalInfo, PetStatus, Size, Species } from '../domain/pets/pet.events.js';

type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** A pet, as the catalogue has it when the answer is made. The advisor reads its texts as data, never as instructions. */
export type CataloguePet = {
  readonly id: string;
  readonly name: string;
  readonly species: Species;
  readonly ageMonths: number;
  readonly status: PetStatus;
} & Optional<{
  breed: string;
  size: Size;
  color: string;
  gender: Gender;
  goodWithKids: boolean;
  /** Decimal text with two decimals. */
  price: string;
  /** ISO 4217. */
  currency: string;
  description: string;
  medicalInfo: Optional<MedicalInfo>;
  /** When the pet came into the catalogue: an ISO 8601 time in UTC. */
  createdAt: string;
}>;

/** The criteria of a search (contract 12.11 and 12.12). All of them must be met. */
export type CatalogueCriteria = {
  readonly species?: readonly Species[];
  readonly size?: readonly Size[];
  /** Months, inclusive. */
  readonly ageRange?: { readonly min?: number; readonly max?: number };
  readonly compatibility?: { readonly goodWithKids?: boolean };
  readonly medical?: { readonly vaccinated?: boolean; readonly spayedNeutered?: boolean; readonly specialNeeds?: boolean };
  readonly sort?: { readonly field: 'ageMonths' | 'price' | 'createdAt'; readonly order: 'ASC' | 'DESC' };
};

/** The part of the catalogue that the tenant of the request can see. Each call reads the current state. */
export type Catalogue = {
  /** Returns a page of the AVAILABLE pets that meet the criteria. `total` counts all that meet them. `page` is 1 by default. */
  readonly available: (
    criteria: CatalogueCriteria,
    limit: number,
    page?: number,
  ) => Promise<{ readonly pets: readonly CataloguePet[]; readonly total: number }>;
  /** Returns the pets with one of the names, ignoring case, in any status except NOT_AVAILABLE. AVAILABLE pets come first. */
  readonly named: (names: readonly string[]) => Promise<readonly CataloguePet[]>;
};
