import type { Operation } from '../http/operation.js';
import { ANYBODY, withScope } from '../http/pipeline/access.js';
import { queryShapeOf } from '../http/validation/query-shape.js';
import { shapeOf } from '../http/validation/shape.js';
import {
  NEW_PET_EXAMPLE,
  PET_COLLECTION_EXAMPLE,
  PET_EXAMPLE,
  PET_REPLACEMENT_EXAMPLE,
  PET_SEARCH_EXAMPLE,
  PET_SEARCH_RESULT_EXAMPLE,
} from './pet.examples.js';
import { NewPet, PetReplacement } from './pet.dto.js';
import { ageRangeInOrder, PetListQuery, StaffPetListQuery } from './pet-list.dto.js';
import { petSizeFault } from './pet-size.js';
import { PetSearch, searchRangeInOrder } from './pet-search.dto.js';

const SEARCH = {
  tag: 'Pets',
  body: shapeOf(PetSearch, [searchRangeInOrder]),
  bodyExample: PET_SEARCH_EXAMPLE,
  violations: 'invalid-request',
  success: {
    status: 200,
    description: 'A page of pets that meet all criteria',
    schema: 'PetSearchResult',
    example: PET_SEARCH_RESULT_EXAMPLE,
  },
  problems: [],
} as const satisfies Partial<Operation>;

/** The operations on pets. */
export const PET_OPERATIONS = {
  listPets: {
    method: 'GET',
    path: '/v1/pets',
    access: ANYBODY,
    tag: 'Pets',
    summary: 'List pets',
    description: 'Newest first. Shows AVAILABLE pets unless another status is asked for.',
    query: queryShapeOf(PetListQuery, [ageRangeInOrder]),
    privileged: { scope: 'write:pets', query: queryShapeOf(StaffPetListQuery, [ageRangeInOrder]) },
    success: { status: 200, description: 'A page of pets', schema: 'PetCollection', example: PET_COLLECTION_EXAMPLE },
    problems: [],
  },
  createPet: {
    method: 'POST',
    path: '/v1/pets',
    access: withScope('write:pets'),
    tag: 'Pets',
    summary: 'Add a pet',
    description:
      'For staff. Read-only fields are ignored, so that a pet that was read can be sent back; any other unlisted property is refused. A pet has at most 65,536 bytes of JSON.',
    body: shapeOf(NewPet, [petSizeFault]),
    bodyExample: NEW_PET_EXAMPLE,
    idempotent: true,
    success: { status: 201, description: 'The pet, with its id', schema: 'Pet', example: PET_EXAMPLE },
    problems: [],
  },
  searchPets: {
    ...SEARCH,
    method: 'QUERY',
    path: '/v1/pets',
    access: ANYBODY,
    summary: 'Search pets',
    description: 'Safe and idempotent, with the criteria in the body (RFC 10008). Finds AVAILABLE pets; every criterion given must be met.',
  },
  searchPetsByPath: {
    ...SEARCH,
    method: 'QUERY',
    path: '/v1/pets/search',
    access: ANYBODY,
    summary: 'Search pets at the guide’s address',
    description: 'The same as searchPets.',
  },
  searchPetsByPost: {
    ...SEARCH,
    method: 'POST',
    path: '/v1/pets/search',
    access: ANYBODY,
    readsOnly: true,
    summary: 'Search pets by POST',
    description: 'The same as searchPets, for clients that cannot send QUERY.',
  },
  getPet: {
    method: 'GET',
    path: '/v1/pets/{id}',
    access: ANYBODY,
    tag: 'Pets',
    summary: 'Read a pet',
    description: 'Finds a pet in whatever status.',
    success: { status: 200, description: 'The pet', schema: 'Pet', example: PET_EXAMPLE },
    problems: ['not-found'],
  },
  updatePet: {
    method: 'PUT',
    path: '/v1/pets/{id}',
    access: withScope('write:pets'),
    tag: 'Pets',
    summary: 'Replace a pet',
    description:
      'For staff. An optional field that is missing is cleared. The status of a pet that an open order holds stays as it is: 409.',
    body: shapeOf(PetReplacement, [petSizeFault]),
    bodyExample: PET_REPLACEMENT_EXAMPLE,
    conditional: true,
    success: { status: 200, description: 'The pet as it is now', schema: 'Pet', example: PET_EXAMPLE },
    problems: ['not-found', 'conflict'],
  },
  deletePet: {
    method: 'DELETE',
    path: '/v1/pets/{id}',
    access: withScope('write:pets'),
    tag: 'Pets',
    summary: 'Delete a pet',
    description: 'For staff. Takes the pet out of reads and search. While an open order holds it: 409.',
    conditional: true,
    success: { status: 204, description: 'The pet is gone' },
    problems: ['not-found', 'conflict'],
  },
} as const satisfies Readonly<Record<string, Operation>>;
