import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { CreatePet, DeletePet, UpdatePet } from '../../../libs/application/pets/pet.commands.js';
import { GetPet, ListPets, SearchPets } from '../../../libs/application/pets/pet.queries.js';
import type { Page } from '../../../libs/application/request.js';
import { isRejection } from '../../../libs/eventsourcing/decider.js';
import { imagePath, publicPhotos } from '../../../libs/projections/photo-references.js';
import { PRIVATE_REVALIDATE, REVALIDATE, sendChanged, sendCreated, sendNoContent, sendRead } from '../http/responses.js';
import type { CallOf, OperationRequest } from '../http/call.js';
import { pageRequest, sendPage } from '../http/collections.js';
import { Operation } from '../http/nest/operation.decorator.js';
import type { OperationRecord } from '../http/operation.js';
import { PUBLIC, withScope } from '../http/admission/access.js';
import { rejectOtherId } from '../http/path-id.js';
import { Problem } from '../http/problems/problem.js';
import { rejectionProblem } from '../http/problems/rejection-problems.js';
import type { PublicAddress } from '../http/public-address.js';
import { queryShapeOf } from '../http/validation/query-shape.js';
import { shapeOf } from '../http/validation/shape.js';
import { PUBLIC_ADDRESS } from '../tokens.js';
import { PetCollection, PetSearchResult } from './pet-collection.dto.js';
import { validateAgeRange, petFilter, PetListQuery, StaffPetListQuery } from './pet-list.dto.js';
import { PetSearch, searchCriteria, validateSearchRange, searchSort } from './pet-search.dto.js';
import { decimalsOf } from '../http/decimals.js';
import { validatePetSize } from './pet-size.js';
import { PetRequest, newPetDetails, Pet, PetReplacement, replacedPetDetails, withoutImages } from './pet.dto.js';
import {
  NEW_PET_EXAMPLE,
  PET_COLLECTION_EXAMPLE,
  PET_EXAMPLE,
  PET_REPLACEMENT_EXAMPLE,
  PET_SEARCH_EXAMPLE,
  PET_SEARCH_RESULT_EXAMPLE,
} from './pet.examples.js';

/** The fields that the three search operations share. These operations answer 400 instead of 422 (contract 4.3). */
const SEARCH = {
  tag: 'Pets',
  isSearch: true,
  body: shapeOf(PetSearch, [validateSearchRange]),
  bodyExample: PET_SEARCH_EXAMPLE,
  validationProblem: 'invalid-request',
  success: {
    status: 200,
    description: 'A page of pets that meet all criteria',
    schema: PetSearchResult,
    example: PET_SEARCH_RESULT_EXAMPLE,
  },
  problems: [],
} as const satisfies Partial<OperationRecord>;

@Controller()
export class PetsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    @Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress,
  ) {}

  @Operation({
    id: 'listPets',
    method: 'GET',
    path: '/v1/pets',
    access: PUBLIC,
    tag: 'Pets',
    summary: 'List pets',
    description: 'Newest first. Shows AVAILABLE pets by default.',
    query: queryShapeOf(PetListQuery, [validateAgeRange]),
    privileged: { scope: 'write:pets', query: queryShapeOf(StaffPetListQuery, [validateAgeRange]) },
    isSearch: true,
    success: { status: 200, description: 'A page of pets', schema: PetCollection, example: PET_COLLECTION_EXAMPLE },
    problems: [],
  })
  async list({ call }: OperationRequest<{ query: StaffPetListQuery }>, reply: FastifyReply): Promise<void> {
    const { query, tenant, caller } = call;
    const { page, limit } = pageRequest(query);
    const found = await this.queries.execute(new ListPets(petFilter(query), page, limit, tenant));
    reply.header('accept-query', 'application/json');
    sendPage(reply, this.publicPage(found), query, {
      url: `${this.address.url}/v1/pets`,
      cacheControl: caller ? PRIVATE_REVALIDATE : REVALIDATE,
    });
  }

  @Operation({
    id: 'createPet',
    method: 'POST',
    path: '/v1/pets',
    access: withScope('write:pets'),
    tag: 'Pets',
    summary: 'Add a pet',
    description:
      'For staff. Read-only fields are ignored, so that a pet can be sent as a GET returned it. Unknown properties are rejected. A pet has at most 65,536 bytes of JSON.',
    body: shapeOf(PetRequest, [validatePetSize, decimalsOf('price')]),
    bodyExample: NEW_PET_EXAMPLE,
    idempotent: true,
    success: { status: 201, description: 'The pet, with its id', schema: Pet, example: PET_EXAMPLE },
    problems: [],
  })
  async create({ call }: OperationRequest<{ body: PetRequest }>, reply: FastifyReply): Promise<void> {
    const outcome = await this.commands.execute(new CreatePet(newPetDetails(call.body), call.body.status ?? 'AVAILABLE', call.context()));
    if (isRejection(outcome)) throw rejectionProblem(outcome);
    sendCreated(reply, outcome, `${this.address.url}/v1/pets/${outcome.id}`);
  }

  @Operation({
    id: 'searchPets',
    ...SEARCH,
    method: 'QUERY',
    path: '/v1/pets',
    access: PUBLIC,
    summary: 'Search pets',
    description: 'Finds AVAILABLE pets that meet every criterion in the body. QUERY is safe and idempotent like GET (RFC 10008).',
  })
  async search({ call }: OperationRequest<{ body: PetSearch }>, reply: FastifyReply): Promise<void> {
    await this.sendSearchResult(call, reply);
  }

  @Operation({
    id: 'searchPetsByPath',
    ...SEARCH,
    method: 'QUERY',
    path: '/v1/pets/search',
    access: PUBLIC,
    summary: 'Search pets at another path',
    description: 'Returns the same as searchPets.',
  })
  async searchByPath({ call }: OperationRequest<{ body: PetSearch }>, reply: FastifyReply): Promise<void> {
    await this.sendSearchResult(call, reply);
  }

  @Operation({
    id: 'searchPetsByPost',
    ...SEARCH,
    method: 'POST',
    path: '/v1/pets/search',
    access: PUBLIC,
    readsOnly: true,
    summary: 'Search pets by POST',
    description: 'Returns the same as searchPets, for clients that cannot send QUERY.',
  })
  async searchByPost({ call }: OperationRequest<{ body: PetSearch }>, reply: FastifyReply): Promise<void> {
    await this.sendSearchResult(call, reply);
  }

  @Operation({
    id: 'getPet',
    method: 'GET',
    path: '/v1/pets/{id}',
    access: PUBLIC,
    tag: 'Pets',
    summary: 'Read a pet',
    description: 'Returns the pet, whatever its status.',
    success: { status: 200, description: 'The pet', schema: Pet, example: PET_EXAMPLE },
    problems: ['pet_not_found'],
  })
  async get({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const view = await this.queries.execute(new GetPet(call.id, call.tenant));
    if (!view) throw new Problem('not-found', 'There is no pet with this id.');
    sendRead(reply, this.publicJson(view.json), view.etag, call.caller ? PRIVATE_REVALIDATE : REVALIDATE);
  }

  @Operation({
    id: 'updatePet',
    method: 'PUT',
    path: '/v1/pets/{id}',
    access: withScope('write:pets'),
    tag: 'Pets',
    summary: 'Replace a pet',
    description:
      'For staff. Clears optional fields that are missing. A change of the status of a reserved pet is rejected with 409. ' +
      'Uploaded images always remain. The field `photos` replaces only the links to photos elsewhere.',
    body: shapeOf(PetReplacement, [validatePetSize, decimalsOf('price')]),
    bodyExample: PET_REPLACEMENT_EXAMPLE,
    conditional: true,
    success: { status: 200, description: 'The replaced pet', schema: Pet, example: PET_EXAMPLE },
    problems: ['pet_not_found', 'pet_held', 'too_many_photos'],
  })
  async update({ call }: OperationRequest<{ body: PetReplacement }>, reply: FastifyReply): Promise<void> {
    const { id, body } = call;
    rejectOtherId(body, id);
    const details = replacedPetDetails(withoutImages(body, this.address.url + imagePath(id, '')));
    const outcome = await this.commands.execute(new UpdatePet(id, details, body.status, call.context()));
    if (isRejection(outcome)) throw rejectionProblem(outcome);
    sendChanged(reply, { ...outcome, json: this.publicJson(outcome.json) });
  }

  @Operation({
    id: 'deletePet',
    method: 'DELETE',
    path: '/v1/pets/{id}',
    access: withScope('write:pets'),
    tag: 'Pets',
    summary: 'Delete a pet',
    description: 'For staff. The pet can no longer be read, listed or found. The deletion of a reserved pet is rejected with 409.',
    conditional: true,
    success: { status: 204, description: 'The pet is deleted' },
    problems: ['pet_not_found', 'pet_held'],
  })
  async delete({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const rejection = await this.commands.execute(new DeletePet(call.id, call.context()));
    if (rejection) throw rejectionProblem(rejection);
    sendNoContent(reply);
  }

  /** Replaces the references to images in the pets of a page with URLs. */
  private publicPage(page: Page): Page {
    return { ...page, items: page.items.map((json) => this.publicJson(json)) };
  }

  /** Replaces the references to images in a stored pet with URLs. Clients cannot use the references. */
  private publicJson(json: string): string {
    return publicPhotos(json, this.address.url);
  }

  private async sendSearchResult({ body, tenant, caller }: CallOf<{ body: PetSearch }>, reply: FastifyReply): Promise<void> {
    const { page, limit } = pageRequest(body.pagination);
    const found = await this.queries.execute(new SearchPets(searchCriteria(body), searchSort(body), page, limit, tenant));
    reply.header('accept-query', 'application/json');
    sendPage(reply, this.publicPage(found), body.pagination, { cacheControl: caller ? PRIVATE_REVALIDATE : REVALIDATE });
  }
}
