import { Command, Query } from '@nestjs/cqrs';
import type { PetDetails, PetStatus, Size, Species } from '../../domain/pets/pet.events.js';
import type { PetRejection } from '../../domain/pets/pet.decider.js';
import type { Rejection } from '../../eventsourcing/decider.js';
import type { Created, Page, RequestContext, View } from '../request.js';

type Refused<Reason extends string> = Rejection<Reason | 'contended' | 'precondition_failed'>;

/** Lists a new pet. */
export class CreatePet extends Command<Created | Refused<PetRejection | 'idempotency_key_reused'>> {
  constructor(
    readonly details: PetDetails,
    readonly status: PetStatus,
    readonly request: RequestContext,
  ) {
    super();
  }
}

/** Replaces what is said of a pet; what is left out is cleared. */
export class UpdatePet extends Command<View | Refused<PetRejection>> {
  constructor(
    readonly id: string,
    readonly details: PetDetails,
    readonly status: PetStatus,
    readonly request: RequestContext,
  ) {
    super();
  }
}

/** Takes a pet out of the store; answers nothing when done. */
export class DeletePet extends Command<null | Refused<PetRejection>> {
  constructor(
    readonly id: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

/** One pet, in whatever status, or null. */
export class GetPet extends Query<View | null> {
  constructor(
    readonly id: string,
    readonly tenant: string,
  ) {
    super();
  }
}

export type PetFilter = {
  readonly status: PetStatus | 'ALL';
  readonly species?: Species;
  /** Months, inclusive. */
  readonly ageMin?: number;
  readonly ageMax?: number;
  readonly size?: Size;
  readonly goodWithKids?: boolean;
};

/** A page of pets, newest first. `page` from 1. */
export class ListPets extends Query<Page> {
  constructor(
    readonly filter: PetFilter,
    readonly page: number,
    readonly limit: number,
    readonly tenant: string,
  ) {
    super();
  }
}

export type PetCriteria = {
  readonly species?: readonly Species[];
  readonly ageRange?: { readonly min?: number; readonly max?: number };
  readonly size?: readonly Size[];
  readonly compatibility?: { readonly goodWithKids?: boolean };
  readonly medical?: { readonly vaccinated?: boolean; readonly spayedNeutered?: boolean; readonly specialNeeds?: boolean };
};

export type PetSort = { readonly field: 'ageMonths' | 'price'; readonly order: 'ASC' | 'DESC' };

/** A page of AVAILABLE pets that meet all criteria; newest first unless sorted. */
export class SearchPets extends Query<Page> {
  constructor(
    readonly criteria: PetCriteria,
    readonly sort: PetSort | undefined,
    readonly page: number,
    readonly limit: number,
    readonly tenant: string,
  ) {
    super();
  }
}
