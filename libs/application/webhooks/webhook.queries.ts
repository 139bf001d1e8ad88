import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { openCallbackKey } from '../../deliveries/signing/callback-key.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import type { Egress } from '../../ports/egress.port.js';
import { WEBHOOKS } from '../aggregates.js';
import { pageOf, viewInTenant } from '../reading.js';
import type { AnswerOf, Page, View } from '../request.js';
import { DOCUMENTS, EGRESS, KEY_VAULT } from '../tokens.js';

/** One endpoint, or null. */
export class GetWebhook extends Query<View | null> {
  constructor(
    readonly id: string,
    readonly tenant: string,
  ) {
    super();
  }
}

@QueryHandler(GetWebhook)
export class GetWebhookHandler implements IQueryHandler<GetWebhook> {
  constructor(@Inject(DOCUMENTS) private readonly documents: Documents) {}

  async execute({ id, tenant }: GetWebhook): Promise<AnswerOf<GetWebhook>> {
    return viewInTenant(this.documents, WEBHOOKS.projection, id, tenant);
  }
}

/** A page of endpoints, newest first. `page` from 1. */
export class ListWebhooks extends Query<Page> {
  constructor(
    readonly page: number,
    readonly limit: number,
    readonly tenant: string,
  ) {
    super();
  }
}

@QueryHandler(ListWebhooks)
export class ListWebhooksHandler implements IQueryHandler<ListWebhooks> {
  constructor(@Inject(DOCUMENTS) private readonly documents: Documents) {}

  async execute({ page, limit, tenant }: ListWebhooks): Promise<AnswerOf<ListWebhooks>> {
    return pageOf(this.documents, WEBHOOKS.projection.collection, { where: { tenant }, sort: ['-createdAt'], page, limit }, 'sum');
  }
}

/** Why an address that a caller gave cannot be called, in a sentence; null when nothing speaks against it. */
export class FindObjection extends Query<string | null> {
  constructor(readonly url: string) {
    super();
  }
}

@QueryHandler(FindObjection)
export class FindObjectionHandler implements IQueryHandler<FindObjection> {
  constructor(@Inject(EGRESS) private readonly egress: Egress) {}

  async execute({ url }: FindObjection): Promise<AnswerOf<FindObjection>> {
    return this.egress.validateUrl(url);
  }
}

/** The public half of the key that order callbacks are signed with: 32 bytes. */
export class GetCallbackPublicKey extends Query<Uint8Array> {}

@QueryHandler(GetCallbackPublicKey)
export class GetCallbackPublicKeyHandler implements IQueryHandler<GetCallbackPublicKey> {
  constructor(@Inject(KEY_VAULT) private readonly keys: KeyVault) {}

  async execute(): Promise<AnswerOf<GetCallbackPublicKey>> {
    return (await openCallbackKey(this.keys)).publicKey;
  }
}

/** Listed in the module: the handlers of queries for webhook endpoints. */
export const WEBHOOK_QUERY_HANDLERS = [GetWebhookHandler, ListWebhooksHandler, FindObjectionHandler, GetCallbackPublicKeyHandler];
