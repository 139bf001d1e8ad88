import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { Egress } from '../../ports/egress.port.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { WEBHOOKS } from '../aggregates.js';
import { pageOf, viewInTenant } from '../reading.js';
import type { AnswerOf } from '../request.js';
import { DOCUMENTS, EGRESS, KEY_VAULT } from '../tokens.js';
import { openCallbackKey } from '../../deliveries/signing/callback-key.js';
import { FindObjection, GetCallbackPublicKey, GetWebhook, ListWebhooks } from './webhook.requests.js';

@QueryHandler(GetWebhook)
export class GetWebhookHandler implements IQueryHandler<GetWebhook> {
  constructor(@Inject(DOCUMENTS) private readonly documents: Documents) {}

  async execute({ id, tenant }: GetWebhook): Promise<AnswerOf<GetWebhook>> {
    return viewInTenant(this.documents, WEBHOOKS.projection, id, tenant);
  }
}

@QueryHandler(ListWebhooks)
export class ListWebhooksHandler implements IQueryHandler<ListWebhooks> {
  constructor(@Inject(DOCUMENTS) private readonly documents: Documents) {}

  async execute({ page, limit, tenant }: ListWebhooks): Promise<AnswerOf<ListWebhooks>> {
    return pageOf(this.documents, WEBHOOKS.projection.collection, { where: { tenant }, sort: ['-createdAt'], page, limit }, 'sum');
  }
}

@QueryHandler(FindObjection)
export class FindObjectionHandler implements IQueryHandler<FindObjection> {
  constructor(@Inject(EGRESS) private readonly egress: Egress) {}

  async execute({ url }: FindObjection): Promise<AnswerOf<FindObjection>> {
    return this.egress.objectionTo(url);
  }
}

@QueryHandler(GetCallbackPublicKey)
export class GetCallbackPublicKeyHandler implements IQueryHandler<GetCallbackPublicKey> {
  constructor(@Inject(KEY_VAULT) private readonly keys: KeyVault) {}

  async execute(): Promise<AnswerOf<GetCallbackPublicKey>> {
    return (await openCallbackKey(this.keys)).publicKey;
  }
}
