import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { RotateSecret, CreateWebhook, DeleteWebhook, UpdateWebhook } from '../../../libs/application/webhooks/webhook.commands.js';
import { GetCallbackPublicKey, GetWebhook, ListWebhooks } from '../../../libs/application/webhooks/webhook.queries.js';
import type { WebhookTerms } from '../../../libs/domain/webhooks/webhook.events.js';
import { isRejection } from '../../../libs/eventsourcing/decider.js';
import { JSON_TYPE, PRIVATE_REVALIDATE, REVALIDATE, sendChanged, sendCreated, sendNoContent, sendRead } from '../http/responses.js';
import type { OperationRequest } from '../http/call.js';
import { PageQuery } from '../http/collection.dto.js';
import { digestTag, pageRequest, sendPage } from '../http/collections.js';
import { Operation } from '../http/nest/operation.decorator.js';
import { PUBLIC, withScope } from '../http/admission/access.js';
import { rejectOtherId } from '../http/path-id.js';
import { Problem } from '../http/problems/problem.js';
import { rejectionProblem } from '../http/problems/rejection-problems.js';
import type { PublicAddress } from '../http/public-address.js';
import { queryShapeOf } from '../http/validation/query-shape.js';
import { shapeOf } from '../http/validation/shape.js';
import { PUBLIC_ADDRESS } from '../tokens.js';
import { rejectForbiddenAddress } from './called-address.js';
import { publicKeyJson } from './public-key.js';
import {
  CallbackPublicKey,
  WebhookRequest,
  RegisteredWebhook,
  replacedWebhookTerms,
  Webhook,
  WebhookCollection,
  webhookRegistration,
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
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    @Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress,
  ) {}

  @Operation({
    id: 'createWebhook',
    method: 'POST',
    path: '/v1/webhooks',
    access: withScope('write:webhooks'),
    tag: 'Webhooks',
    summary: 'Register a webhook endpoint',
    description:
      'From now on, the service posts events with the given names to the URL, signed according to Standard Webhooks 1.0. Store the secret, because only this response shows it. ' +
      'The URL must be on the public Internet. A tenant has at most 50 endpoints.',
    body: shapeOf(WebhookRequest),
    bodyExample: NEW_WEBHOOK_EXAMPLE,
    idempotent: true,
    success: {
      status: 201,
      description: 'The endpoint, with its secret',
      schema: RegisteredWebhook,
      example: REGISTERED_WEBHOOK_EXAMPLE,
    },
    problems: ['too_many_webhooks'],
  })
  async create({ call }: OperationRequest<{ body: WebhookRequest }>, reply: FastifyReply): Promise<void> {
    const registration = await this.withAllowedUrl(webhookRegistration(call.body));
    const outcome = await this.commands.execute(new CreateWebhook(registration, call.context()));
    if (isRejection(outcome)) throw rejectionProblem(outcome);
    sendCreated(reply, outcome, `${this.address.url}/v1/webhooks/${outcome.id}`);
  }

  @Operation({
    id: 'listWebhooks',
    method: 'GET',
    path: '/v1/webhooks',
    access: withScope('write:webhooks'),
    tag: 'Webhooks',
    summary: 'List webhook endpoints',
    description: 'Newest first. Secrets are not shown.',
    query: queryShapeOf(PageQuery),
    success: { status: 200, description: 'A page of endpoints', schema: WebhookCollection, example: WEBHOOK_COLLECTION_EXAMPLE },
    problems: [],
  })
  async list({ call }: OperationRequest<{ query: PageQuery }>, reply: FastifyReply): Promise<void> {
    const { page, limit } = pageRequest(call.query);
    sendPage(reply, await this.queries.execute(new ListWebhooks(page, limit, call.tenant)), call.query);
  }

  @Operation({
    id: 'getWebhook',
    method: 'GET',
    path: '/v1/webhooks/{id}',
    access: withScope('write:webhooks'),
    tag: 'Webhooks',
    summary: 'Read a webhook endpoint',
    description: 'A disabled endpoint shows its disabledReason. The secret is not shown.',
    success: { status: 200, description: 'The endpoint', schema: Webhook, example: WEBHOOK_EXAMPLE },
    problems: ['webhook_not_found'],
  })
  async get({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const view = await this.queries.execute(new GetWebhook(call.id, call.tenant));
    if (!view) throw new Problem('not-found', 'There is no webhook endpoint with this id.');
    sendRead(reply, view.json, view.etag, PRIVATE_REVALIDATE);
  }

  @Operation({
    id: 'updateWebhook',
    method: 'PUT',
    path: '/v1/webhooks/{id}',
    access: withScope('write:webhooks'),
    tag: 'Webhooks',
    summary: 'Replace a webhook endpoint',
    description: 'Replaces `url`, `events` and `ordered`, but not the secret. The value `enabled` of `status` enables a disabled endpoint.',
    body: shapeOf(WebhookReplacement),
    bodyExample: WEBHOOK_REPLACEMENT_EXAMPLE,
    conditional: true,
    success: { status: 200, description: 'The replaced endpoint', schema: Webhook, example: { ...WEBHOOK_EXAMPLE, ordered: true } },
    problems: ['webhook_not_found'],
  })
  async update({ call }: OperationRequest<{ body: WebhookReplacement }>, reply: FastifyReply): Promise<void> {
    const { id, body } = call;
    rejectOtherId(body, id);
    const outcome = await this.commands.execute(
      new UpdateWebhook(id, await this.withAllowedUrl(replacedWebhookTerms(body)), body.status, call.context()),
    );
    if (isRejection(outcome)) throw rejectionProblem(outcome);
    sendChanged(reply, outcome);
  }

  @Operation({
    id: 'deleteWebhook',
    method: 'DELETE',
    path: '/v1/webhooks/{id}',
    access: withScope('write:webhooks'),
    tag: 'Webhooks',
    summary: 'Delete a webhook endpoint',
    description: 'The service sends no more events to the endpoint.',
    conditional: true,
    success: { status: 204, description: 'The endpoint is deleted' },
    problems: ['webhook_not_found'],
  })
  async delete({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const rejection = await this.commands.execute(new DeleteWebhook(call.id, call.context()));
    if (rejection) throw rejectionProblem(rejection);
    sendNoContent(reply);
  }

  @Operation({
    id: 'rotateWebhookSecret',
    method: 'POST',
    path: '/v1/webhooks/{id}/secret',
    access: withScope('write:webhooks'),
    tag: 'Webhooks',
    summary: 'Rotate the signing secret',
    description:
      'Returns a new secret. For 24 hours deliveries are signed with the former secret too, so that the receiver can switch without a gap. ' +
      'After several rotations within 24 hours, only the four newest secrets sign. The operation ignores a JSON body.',
    idempotent: true,
    success: { status: 200, description: 'The new secret', schema: WebhookSecret, example: WEBHOOK_SECRET_EXAMPLE, withoutEtag: true },
    problems: ['webhook_not_found'],
  })
  async rotate({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const outcome = await this.commands.execute(new RotateSecret(call.id, call.context()));
    if (isRejection(outcome)) throw rejectionProblem(outcome);
    const { replayed, ...secret } = outcome;
    if (replayed) reply.header('idempotent-replayed', 'true');
    reply.code(200).header('cache-control', 'no-store').header('content-type', JSON_TYPE).send(JSON.stringify(secret));
  }

  @Operation({
    id: 'getCallbackPublicKey',
    method: 'GET',
    path: '/v1/webhooks/public-key',
    // The receiver of a callback needs the key, but may have no token of this service.
    access: PUBLIC,
    wholeStore: true,
    tag: 'Webhooks',
    summary: 'Read the public key of callbacks',
    description:
      'Returns the public key that verifies order callbacks (Ed25519, `v1a` of Standard Webhooks 1.0). All tenants have the same key.',
    success: { status: 200, description: 'The public key', schema: CallbackPublicKey, example: CALLBACK_PUBLIC_KEY_EXAMPLE },
    problems: [],
  })
  async publicKey(_: OperationRequest, reply: FastifyReply): Promise<void> {
    const json = publicKeyJson(await this.queries.execute(new GetCallbackPublicKey()));
    sendRead(reply, json, digestTag(json), REVALIDATE);
  }

  /** Returns the terms unchanged. Throws a problem if the service does not send requests to the URL (contract 21.2). */
  private async withAllowedUrl<T extends WebhookTerms>(terms: T): Promise<T> {
    await rejectForbiddenAddress(this.queries, { field: 'url', url: terms.url }, 'validation-failed');
    return terms;
  }
}
