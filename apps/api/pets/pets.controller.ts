import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { CreatePet, DeletePet, GetPet, ListPets, SearchPets, UpdatePet } from '../../../libs/application/pets/pet.requests.js';
import { isRejection } from '../../../libs/eventsourcing/decider.js';
import { PRIVATE_REVALIDATE, REVALIDATE, sendChanged, sendCreated, sendGone, sendRead } from '../http/answers.js';
import type { Asking, CallOf } from '../http/call.js';
import { collectionJson, digestTag, pageAsked, pageUrls } from '../http/collections.js';
import { Operation } from '../http/nest/operation.decorator.js';
import { fieldProblem, Problem } from '../http/problems/problem.js';
import type { PublicAddress } from '../http/public-address.js';
import { refusalProblem } from '../http/problems/refusals.js';
import { PUBLIC_ADDRESS } from '../tokens.js';
import { petDetails, searchCriteria, searchSort } from './pet.wishes.js';

const isSameId = (sent: unknown, id: string): boolean => typeof sent === 'string' && sent.toLowerCase() === id;

@Controller()
export class PetsController {
  constructor(
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(QueryBus) private readonly queries: QueryBus,
    @Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress,
  ) {}

  @Operation('listPets')
  async list({ call }: Asking<'listPets'>, reply: FastifyReply): Promise<void> {
    const { query, tenant, caller } = call;
    const { page, limit } = pageAsked(query);
    const { page: _page, limit: _limit, ...filter } = query;
    const found = await this.queries.execute(new ListPets({ status: 'AVAILABLE', ...filter }, page, limit, tenant));
    const json = collectionJson(found, { page, limit }, pageUrls(`${this.address.url}/v1/pets`, query, limit));
    reply.header('accept-query', 'application/json');
    sendRead(reply, json, digestTag(json), caller ? PRIVATE_REVALIDATE : REVALIDATE);
  }

  @Operation('createPet')
  async create({ call }: Asking<'createPet'>, reply: FastifyReply): Promise<void> {
    const outcome = await this.commands.execute(new CreatePet(petDetails(call.body), call.body.status ?? 'AVAILABLE', call.context()));
    if (isRejection(outcome)) throw refusalProblem(outcome);
    sendCreated(reply, outcome, `${this.address.url}/v1/pets/${outcome.id}`);
  }

  @Operation('searchPets')
  async search({ call }: Asking<'searchPets'>, reply: FastifyReply): Promise<void> {
    await this.answerSearch(call, reply);
  }

  @Operation('searchPetsByPath')
  async searchByPath({ call }: Asking<'searchPetsByPath'>, reply: FastifyReply): Promise<void> {
    await this.answerSearch(call, reply);
  }

  @Operation('searchPetsByPost')
  async searchByPost({ call }: Asking<'searchPetsByPost'>, reply: FastifyReply): Promise<void> {
    await this.answerSearch(call, reply);
  }

  @Operation('getPet')
  async get({ call }: Asking<'getPet'>, reply: FastifyReply): Promise<void> {
    const view = await this.queries.execute(new GetPet(call.id, call.tenant));
    if (!view) throw new Problem('not-found', 'There is no such pet.');
    sendRead(reply, view.json, view.etag, call.caller ? PRIVATE_REVALIDATE : REVALIDATE);
  }

  @Operation('updatePet')
  async update({ call }: Asking<'updatePet'>, reply: FastifyReply): Promise<void> {
    const { id, body } = call;
    // "A body `id` that differs from the path's is 422 `mismatch`."
    if (body.id !== undefined && !isSameId(body.id, id))
      throw fieldProblem('validation-failed', [{ field: 'id', message: 'must be the id in the path', code: 'mismatch' }]);
    const outcome = await this.commands.execute(new UpdatePet(id, petDetails(body), body.status, call.context()));
    if (isRejection(outcome)) throw refusalProblem(outcome);
    sendChanged(reply, outcome);
  }

  @Operation('deletePet')
  async delete({ call }: Asking<'deletePet'>, reply: FastifyReply): Promise<void> {
    const refused = await this.commands.execute(new DeletePet(call.id, call.context()));
    if (refused) throw refusalProblem(refused);
    sendGone(reply);
  }

  private async answerSearch({ body, tenant, caller }: CallOf<'searchPets'>, reply: FastifyReply): Promise<void> {
    const asked = pageAsked(body.pagination);
    const found = await this.queries.execute(new SearchPets(searchCriteria(body), searchSort(body), asked.page, asked.limit, tenant));
    const json = collectionJson(found, asked);
    reply.header('accept-query', 'application/json');
    sendRead(reply, json, digestTag(json), caller ? PRIVATE_REVALIDATE : REVALIDATE);
  }
}
