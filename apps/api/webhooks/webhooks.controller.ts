import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import {
  CreateWebhook,
  DeleteWebhook,
  GetCallbackPublicKey,
  GetWebhook,
  ListWebhooks,
  RotateSecret,
  UpdateWebhook,
} from '../../../libs/application/webhooks/webhook.requests.js';
import type { WebhookTerms } from '../../../libs/domain/webhooks/webhook.events.js';
import { isRejection } from '../../../libs/eventsourcing/decider.js';
import { JSON_TYPE, PRIVATE_REVALIDATE, REVALIDATE, sendChanged, sendCreated, sendGone, sendRead } from '../http/answers.js';
import type { Asking } from '../http/call.js';
import { collectionJson, digestTag, pageAsked } from '../http/collections.js';
import { Operation } from '../http/nest/operation.decorator.js';
import { fieldProblem, Problem } from '../http/problems/problem.js';
import type { PublicAddress } from '../http/public-address.js';
import { refusalProblem } from '../http/problems/refusals.js';
import { PUBLIC_ADDRESS } from '../tokens.js';
import { refuseForbidden } from './called-address.js';
import { publicKeyJson } from './public-key.js';
import type { WebhookTermsBody } from './webhook.dto.js';

@Controller()
export class WebhooksController {
  constructor(
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(QueryBus) private readonly queries: QueryBus,
    @Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress,
  ) {}

  @Operation('listWebhooks')
  async list({ call }: Asking<'listWebhooks'>, reply: FastifyReply): Promise<void> {
    const asked = pageAsked(call.query);
    const json = collectionJson(await this.queries.execute(new ListWebhooks(asked.page, asked.limit, call.tenant)), asked);
    sendRead(reply, json, digestTag(json), PRIVATE_REVALIDATE);
  }

  @Operation('createWebhook')
  async create({ call }: Asking<'createWebhook'>, reply: FastifyReply): Promise<void> {
    const terms = await this.terms(call.body);
    const outcome = await this.commands.execute(new CreateWebhook(terms, call.context()));
    if (isRejection(outcome)) throw refusalProblem(outcome);
    sendCreated(reply, outcome, `${this.address.url}/v1/webhooks/${outcome.id}`);
  }

  @Operation('getWebhook')
  async get({ call }: Asking<'getWebhook'>, reply: FastifyReply): Promise<void> {
    const view = await this.queries.execute(new GetWebhook(call.id, call.tenant));
    if (!view) throw new Problem('not-found', 'There is no such webhook endpoint.');
    sendRead(reply, view.json, view.etag, PRIVATE_REVALIDATE);
  }

  @Operation('updateWebhook')
  async update({ call }: Asking<'updateWebhook'>, reply: FastifyReply): Promise<void> {
    const { id, body } = call;
    // "A body `id` that differs from the path's is 422 `mismatch`."
    if (body.id !== undefined && !(typeof body.id === 'string' && body.id.toLowerCase() === id))
      throw fieldProblem('validation-failed', [{ field: 'id', message: 'must be the id in the path', code: 'mismatch' }]);
    const outcome = await this.commands.execute(new UpdateWebhook(id, await this.terms(body), body.status, call.context()));
    if (isRejection(outcome)) throw refusalProblem(outcome);
    sendChanged(reply, outcome);
  }

  @Operation('deleteWebhook')
  async delete({ call }: Asking<'deleteWebhook'>, reply: FastifyReply): Promise<void> {
    const refused = await this.commands.execute(new DeleteWebhook(call.id, call.context()));
    if (refused) throw refusalProblem(refused);
    sendGone(reply);
  }

  @Operation('rotateWebhookSecret')
  async rotate({ call }: Asking<'rotateWebhookSecret'>, reply: FastifyReply): Promise<void> {
    const outcome = await this.commands.execute(new RotateSecret(call.id, call.context()));
    if (isRejection(outcome)) throw refusalProblem(outcome);
    const { replayed, ...shown } = outcome;
    if (replayed) reply.header('idempotent-replayed', 'true');
    reply.code(200).header('cache-control', 'no-store').header('content-type', JSON_TYPE).send(JSON.stringify(shown));
  }

  @Operation('getCallbackPublicKey')
  async publicKey(_: Asking<'getCallbackPublicKey'>, reply: FastifyReply): Promise<void> {
    const json = publicKeyJson(await this.queries.execute(new GetCallbackPublicKey()));
    sendRead(reply, json, digestTag(json), REVALIDATE);
  }

  private async terms({ url, events, ordered = false }: WebhookTermsBody): Promise<WebhookTerms> {
    await refuseForbidden(this.queries, { field: 'url', url }, 'validation-failed');
    return { url, events, ordered };
  }
}
