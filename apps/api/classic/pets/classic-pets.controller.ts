import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { ChangePet, CreatePet, DeletePet, UploadPetPhoto } from '../../../../libs/application/pets/pet.commands.js';
import { FindNumberedPets, FindPetsByTags, GetPetByNumber } from '../../../../libs/application/pets/pet.queries.js';
import type { View } from '../../../../libs/application/request.js';
import { isRejection } from '../../../../libs/eventsourcing/decider.js';
import { PUBLIC, withScope } from '../../http/admission/access.js';
import type { CallOf, OperationRequest } from '../../http/call.js';
import { Operation } from '../../http/nest/operation.decorator.js';
import { Problem } from '../../http/problems/problem.js';
import { rejectionProblem } from '../../http/problems/rejection-problems.js';
import type { PublicAddress } from '../../http/public-address.js';
import type { UploadBody } from '../../http/bodies/image-uploads.js';
import { queryShapeOf } from '../../http/validation/query-shape.js';
import { shapeOf } from '../../http/validation/shape.js';
import { ApiResponse, IMAGE_UPLOAD, uploadResult } from '../../images/image.dto.js';
import { PUBLIC_ADDRESS } from '../../tokens.js';
import { sendClassicChange, sendClassicEmpty, sendClassicRead } from '../classic-responses.js';
import { changesOf, classicPet, newPet, validateOtherPhotos } from './classic-pet.js';
import {
  ChangedClassicPet,
  ClassicPet,
  ClassicPetForm,
  ClassicStatusQuery,
  ClassicTagsQuery,
  ClassicUploadQuery,
  NewClassicPet,
} from './pet.dto.js';
import { NEW_PET_EXAMPLE, PET_EXAMPLE, UPLOAD_EXAMPLE } from './pet.examples.js';
import { petStatusOf, SHOWN_STATUSES } from './pet-status.js';

/** The maximum number of pets in the result of a search. The classic shape has no pages (contract 39.4). */
const MAX_FOUND = 1_000;

const FOUND = { status: 200, description: 'The pets', schema: ClassicPet, list: true, example: [PET_EXAMPLE] } as const;
const PET = { status: 200, description: 'The pet', schema: ClassicPet, example: PET_EXAMPLE } as const;

@Controller()
export class ClassicPetsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    @Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress,
  ) {}

  @Operation({
    id: 'classicAddPet',
    method: 'POST',
    path: '/api/v3/pet',
    access: withScope('write:pets'),
    tag: 'Pets',
    summary: 'Add a pet',
    description: 'For staff. The service sets the id and ignores an id in the body. The name of the category determines the species.',
    body: shapeOf(NewClassicPet, [validateOtherPhotos]),
    bodyExample: NEW_PET_EXAMPLE,
    idempotent: true,
    success: PET,
    problems: [],
  })
  async create({ call }: OperationRequest<{ body: NewClassicPet }>, reply: FastifyReply): Promise<void> {
    const { details, status, classic } = newPet(call.body);
    const outcome = await this.commands.execute(new CreatePet(details, status, call.context(), classic));
    if (isRejection(outcome)) throw rejectionProblem(outcome);
    sendClassicChange(reply, this.classicPet(outcome), outcome.replayed);
  }

  @Operation({
    id: 'classicUpdatePet',
    method: 'PUT',
    path: '/api/v3/pet',
    access: withScope('write:pets'),
    tag: 'Pets',
    summary: 'Change a pet',
    description: 'For staff. Changes the pet with the id in the body. Details that the classic variant does not show are not changed.',
    body: shapeOf(ChangedClassicPet, [validateOtherPhotos]),
    bodyExample: PET_EXAMPLE,
    success: PET,
    problems: ['pet_not_found', 'pet_held', 'too_many_photos'],
  })
  async update({ call }: OperationRequest<{ body: ChangedClassicPet }>, reply: FastifyReply): Promise<void> {
    const { body, tenant } = call;
    const { view, pet } = await this.find(body.id, tenant);
    const changes = changesOf(body, pet, view.id, this.address.url);
    const outcome = await this.commands.execute(new ChangePet(view.id, changes, call.context()));
    if (isRejection(outcome)) throw rejectionProblem(outcome);
    sendClassicChange(reply, this.classicPet(outcome));
  }

  @Operation({
    id: 'classicFindPetsByStatus',
    method: 'GET',
    path: '/api/v3/pet/findByStatus',
    access: PUBLIC,
    tag: 'Pets',
    summary: 'Find pets by status',
    description: `Newest first, at most ${MAX_FOUND} pets. Several statuses are separated by commas.`,
    query: queryShapeOf(ClassicStatusQuery),
    isSearch: true,
    validationProblem: 'invalid-request',
    success: FOUND,
    problems: [],
  })
  async findByStatus({ call }: OperationRequest<{ query: ClassicStatusQuery }>, reply: FastifyReply): Promise<void> {
    const { query, tenant } = call;
    const statuses = [...new Set(query.status ?? (['available'] as const))].map(petStatusOf);
    this.sendFound(await this.queries.execute(new FindNumberedPets(statuses, MAX_FOUND, tenant)), call, reply);
  }

  @Operation({
    id: 'classicFindPetsByTags',
    method: 'GET',
    path: '/api/v3/pet/findByTags',
    access: PUBLIC,
    tag: 'Pets',
    summary: 'Find pets by tags',
    limit: 'classicFindPetsByTags',
    description: `Finds at most ${MAX_FOUND} pets that have at least one of the tags. Several tags are separated by commas.`,
    query: queryShapeOf(ClassicTagsQuery),
    isSearch: true,
    validationProblem: 'invalid-request',
    success: FOUND,
    problems: [],
  })
  async findByTags({ call }: OperationRequest<{ query: ClassicTagsQuery }>, reply: FastifyReply): Promise<void> {
    const { query, tenant } = call;
    this.sendFound(await this.queries.execute(new FindPetsByTags(query.tags, SHOWN_STATUSES, MAX_FOUND, tenant)), call, reply);
  }

  @Operation({
    id: 'classicGetPetById',
    method: 'GET',
    path: '/api/v3/pet/{petId}',
    access: PUBLIC,
    idForm: 'number',
    tag: 'Pets',
    summary: 'Read a pet',
    description: 'The response is 404 for a pet that is not offered (NOT_AVAILABLE).',
    success: PET,
    problems: ['pet_not_found'],
  })
  async get({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const { pet } = await this.find(Number(call.id), call.tenant);
    sendClassicRead(reply, pet, call.caller === null);
  }

  @Operation({
    id: 'classicUpdatePetWithForm',
    method: 'POST',
    path: '/api/v3/pet/{petId}',
    access: withScope('write:pets'),
    idForm: 'number',
    tag: 'Pets',
    summary: 'Change the name or status of a pet',
    description:
      'For staff. If a parameter is absent, its value is not changed. The parameters may also be in a form (application/x-www-form-urlencoded).',
    query: queryShapeOf(ClassicPetForm),
    queryInForm: true,
    validationProblem: 'invalid-request',
    success: PET,
    problems: ['pet_not_found', 'pet_held'],
  })
  async updateWithForm({ call }: OperationRequest<{ query: ClassicPetForm }>, reply: FastifyReply): Promise<void> {
    const { name, status } = call.query;
    const { view } = await this.find(Number(call.id), call.tenant);
    const changes = { details: name === undefined ? {} : { name }, ...(status && { status: petStatusOf(status) }) };
    const outcome = await this.commands.execute(new ChangePet(view.id, changes, call.context()));
    if (isRejection(outcome)) throw rejectionProblem(outcome);
    sendClassicChange(reply, this.classicPet(outcome));
  }

  @Operation({
    id: 'classicUploadFile',
    method: 'POST',
    path: '/api/v3/pet/{petId}/uploadImage',
    access: withScope('write:pets'),
    idForm: 'number',
    tag: 'Pets',
    summary: 'Upload an image of a pet',
    description:
      'For staff. The image becomes the last of `photoUrls`. The body may also be the file alone, as application/octet-stream, with `additionalMetadata` in the query.',
    query: queryShapeOf(ClassicUploadQuery),
    upload: IMAGE_UPLOAD,
    uploadAlone: true,
    idempotent: true,
    success: { status: 200, description: 'The image is stored', schema: ApiResponse, example: UPLOAD_EXAMPLE },
    problems: ['pet_not_found', 'not_an_image', 'broken_image', 'too_many_pixels', 'too_many_photos'],
  })
  async upload({ call }: OperationRequest<{ body: UploadBody; query: ClassicUploadQuery }>, reply: FastifyReply): Promise<void> {
    const { view } = await this.find(Number(call.id), call.tenant);
    // Without a text in the form, the text in the query applies.
    const outcome = await this.commands.execute(new UploadPetPhoto(view.id, { ...call.query, ...call.body }, call.context()));
    if (isRejection(outcome)) throw rejectionProblem(outcome);
    sendClassicChange(reply, uploadResult(200, outcome), outcome.replayed);
  }

  @Operation({
    id: 'classicDeletePet',
    method: 'DELETE',
    path: '/api/v3/pet/{petId}',
    access: withScope('write:pets'),
    idForm: 'number',
    tag: 'Pets',
    summary: 'Delete a pet',
    description: 'For staff. The deletion of a reserved pet is rejected with 409.',
    success: { status: 200, description: 'The pet is deleted' },
    problems: ['pet_not_found', 'pet_held'],
  })
  async delete({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const { view } = await this.find(Number(call.id), call.tenant);
    const rejection = await this.commands.execute(new DeletePet(view.id, call.context()));
    if (rejection) throw rejectionProblem(rejection);
    sendClassicEmpty(reply);
  }

  /**
   * Returns the pet with this integer id in two forms: `view` is the stored one, `pet` has the classic shape. Throws a 404 problem
   * if no pet has this id, or if the pet is NOT_AVAILABLE (contract 39.4).
   */
  private async find(number: number, tenant: string): Promise<{ readonly view: View; readonly pet: ClassicPet }> {
    const view = await this.queries.execute(new GetPetByNumber(number, tenant));
    if (!view) throw new Problem('not-found', 'There is no pet with this id.');
    return { view, pet: this.classicPet(view) };
  }

  /** Returns a pet in the classic shape. Throws a 404 problem if the pet is NOT_AVAILABLE (contract 39.4). */
  private classicPet(view: View): ClassicPet {
    const pet = classicPet(view, this.address.url);
    if (!pet) throw new Problem('not-found', 'There is no pet with this id.');
    return pet;
  }

  private sendFound(views: readonly View[], { caller }: Pick<CallOf<object>, 'caller'>, reply: FastifyReply): void {
    const pets = views.flatMap((view) => classicPet(view, this.address.url) ?? []);
    sendClassicRead(reply, pets, caller === null);
  }
}
