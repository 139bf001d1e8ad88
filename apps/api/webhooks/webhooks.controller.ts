import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { RotateSecret } from '../../../libs/application/webhooks/rotate-secret.handler.js';
import { CreateWebhook, DeleteWebhook, UpdateWebhook } from '../../../libs/application/webhooks/webhook.handlers.js';
import { GetCallbackPublicKey, GetWebhook, ListWebhooks } from '../../../libs/application/webhooks/webhook.queries.js';
import type { WebhookTerms } from '../../../libs/domain/webhooks/webhook.events.js';
import { isRejection } from '../../../libs/eventsourcing/decider.js';
import { JSON_TYPE, PRIVATE_REVALIDATE, REVALIDATE, sendChanged, sendCreated, sendGone, sendRead } from '../http/answers.js';
import type { OperationRequest } from '../http/call.js';
import { PageQuery } from '../http/collection.dto.js';
import { collectionJson, digestTag, pageAsked } from '../http/collections.js';
import { Operation } from '../http/nest/operation.decorator.js';
import { ANYBODY, withScope } from '../http/admission/access.js';
import { fieldProblem, Problem } from '../http/problems/problem.js';
import { refusalProblem } from '../http/problems/refusals.js';
import type { PublicAddress } from '../http/public-address.js';
import { queryShapeOf } from '../http/validation/query-shape.js';
import { shapeOf } from '../http/validation/shape.js';
import { PUBLIC_ADDRESS } from '../tokens.js';
import { refuseForbidden } from './called-address.js';
import { publicKeyJson } from './public-key.js';
import {
  CallbackPublicKey,
  NewWebhook,
  newWebhookTerms,
  RegisteredWebhook,
  replacedWebhookTerms,
  Webhook,
  WebhookCollection,
  WebhookReplacement,
  WebhookSecret,
} from './webhook.dto.js';
import {
  CALLBACK_PUBLIC_KEY_EXAMPLE,
  NEW_WEBHOOK_EXAMPLE,
  REGISTERED_WEBHOOK_EXAMPLE,
  WEBHOOK_COLLECTION_EXAMPLE,
  WEBHOOK_EXAMPLE,
  WEBHOOK_REPLACEMENT_EXAMPLE,
  WEBHOOK_SECRET_EXAMPLE,
} from './webhook.examples.js';

@Controller()
export class WebhooksController {
  constructor(
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(QueryBus) private readonly queries: QueryBus,
    @Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress,
  ) {}

  @Operation({
    id: 'listWebhooks',
    method: 'GET',
    path: '/v1/webhooks',
    access: withScope('write:webhooks'),
    tag: 'Webhooks',
    summary: 'List webhook endpoints',
    description: 'Newest first. Their secrets are not shown.',
    query: queryShapeOf(PageQuery),
    success: { status: 200, description: 'A page of endpoints', schema: WebhookCollection, example: WEBHOOK_COLLECTION_EXAMPLE },
    problems: [],
  })
  async list({ call }: OperationRequest<{ query: PageQuery }>, reply: FastifyReply): Promise<void> {
    const asked = pageAsked(call.query);
    const json = collectionJson(await this.queries.execute(new ListWebhooks(asked.page, asked.limit, call.tenant)), asked);
    sendRead(reply, json, digestTag(json), PRIVATE_REVALIDATE);
  }

  @Operation({
    id: 'createWebhook',
    method: 'POST',
    path: '/v1/webhooks',
    access: withScope('write:webhooks'),
    tag: 'Webhooks',
    summary: 'Register a webhook endpoint',
    description:
      'From now on the events asked for are posted to the address, signed by Standard Webhooks 1.0 with the secret that this answer shows, and no later one. ' +
      'An address that is not on the public Internet is refused. A tenant has 50 endpoints at most.',
    body: shapeOf(NewWebhook),
    bodyExample: NEW_WEBHOOK_EXAMPLE,
    idempotent: true,
    success: {
      status: 201,
      description: 'The endpoint, with its secret',
      schema: RegisteredWebhook,
      example: REGISTERED_WEBHOOK_EXAMPLE,
    },
    problems: ['conflict'],
  })
  async create({ call }: OperationRequest<{ body: NewWebhook }>, reply: FastifyReply): Promise<void> {
    const terms = await this.checked(newWebhookTerms(call.body));
    const outcome = await this.commands.execute(new CreateWebhook(terms, call.context()));
    if (isRejection(outcome)) throw refusalProblem(outcome);
    sendCreated(reply, outcome, `${this.address.url}/v1/webhooks/${outcome.id}`);
  }

  @Operation({
    id: 'getWebhook',
    method: 'GET',
    path: '/v1/webhooks/{id}',
    access: withScope('write:webhooks'),
    tag: 'Webhooks',
    summary: 'Read a webhook endpoint',
    description: 'A disabled one says why it is. The secret is not shown.',
    success: { status: 200, description: 'The endpoint', schema: Webhook, example: WEBHOOK_EXAMPLE },
    problems: ['not-found'],
  })
  async get({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const view = await this.queries.execute(new GetWebhook(call.id, call.tenant));
    if (!view) throw new Problem('not-found', 'There is no such webhook endpoint.');
    sendRead(reply, view.json, view.etag, PRIVATE_REVALIDATE);
  }

  @Operation({
    id: 'updateWebhook',
    method: 'PUT',
    path: '/v1/webhooks/{id}',
    access: withScope('write:webhooks'),
    tag: 'Webhooks',
    summary: 'Replace a webhook endpoint',
    description: 'The secret stays. status enabled switches a disabled endpoint on again.',
    body: shapeOf(WebhookReplacement),
    bodyExample: WEBHOOK_REPLACEMENT_EXAMPLE,
    conditional: true,
    success: { status: 200, description: 'The endpoint as it is now', schema: Webhook, example: { ...WEBHOOK_EXAMPLE, ordered: true } },
    problems: ['not-found'],
  })
  async update({ call }: OperationRequest<{ body: WebhookReplacement }>, reply: FastifyReply): Promise<void> {
    const { id, body } = call;
    // "A body `id` that differs from the path's is 422 `mismatch`."
    if (body.id !== undefined && !(typeof body.id === 'string' && body.id.toLowerCase() === id))
      throw fieldProblem('validation-failed', [{ field: 'id', message: 'must be the id in the path', code: 'mismatch' }]);
    const outcome = await this.commands.execute(
      new UpdateWebhook(id, await this.checked(replacedWebhookTerms(body)), body.status, call.context()),
    );
    if (isRejection(outcome)) throw refusalProblem(outcome);
    sendChanged(reply, outcome);
  }

  @Operation({
    id: 'deleteWebhook',
    method: 'DELETE',
    path: '/v1/webhooks/{id}',
    access: withScope('write:webhooks'),
    tag: 'Webhooks',
    summary: 'Delete a webhook endpoint',
    description: 'Nothing is sent to it any more.',
    conditional: true,
    success: { status: 204, description: 'The endpoint is gone' },
    problems: ['not-found'],
  })
  async delete({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const refused = await this.commands.execute(new DeleteWebhook(call.id, call.context()));
    if (refused) throw refusalProblem(refused);
    sendGone(reply);
  }

  @Operation({
    id: 'rotateWebhookSecret',
    method: 'POST',
    path: '/v1/webhooks/{id}/secret',
    access: withScope('write:webhooks'),
    tag: 'Webhooks',
    summary: 'Give a webhook endpoint another secret',
    description:
      'For 24 hours deliveries are signed with the former one too, so that the receiver can change over without a gap. At most the four newest secrets sign at a time. No body is read.',
    idempotent: true,
    success: { status: 200, description: 'The new secret', schema: WebhookSecret, example: WEBHOOK_SECRET_EXAMPLE },
    problems: ['not-found'],
  })
  async rotate({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const outcome = await this.commands.execute(new RotateSecret(call.id, call.context()));
    if (isRejection(outcome)) throw refusalProblem(outcome);
    const { replayed, ...shown } = outcome;
    if (replayed) reply.header('idempotent-replayed', 'true');
    reply.code(200).header('cache-control', 'no-store').header('content-type', JSON_TYPE).send(JSON.stringify(shown));
  }

  @Operation({
    id: 'getCallbackPublicKey',
    method: 'GET',
    path: '/v1/webhooks/public-key',
    // The receiver of a callback must be able to verify it, and may be no client of this service.
    access: ANYBODY,
    tag: 'Webhooks',
    summary: 'Read the key that callbacks are checked with',
    description: 'Order callbacks are signed with the private half (Ed25519, `v1a` of Standard Webhooks 1.0). The same for all tenants.',
    success: { status: 200, description: 'The public half', schema: CallbackPublicKey, example: CALLBACK_PUBLIC_KEY_EXAMPLE },
    problems: [],
  })
  async publicKey(_: OperationRequest, reply: FastifyReply): Promise<void> {
    const json = publicKeyJson(await this.queries.execute(new GetCallbackPublicKey()));
    sendRead(reply, json, digestTag(json), REVALIDATE);
  }

  /** Throws where the address may not be called. */
  private async checked(terms: WebhookTerms): Promise<WebhookTerms> {
    await refuseForbidden(this.queries, { field: 'url', url: terms.url }, 'validation-failed');
    return terms;
  }
}
