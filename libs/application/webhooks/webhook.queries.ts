import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { openCallbackKey } from '../../deliveries/signing.js';
import { Documents } from '../../eventsourcing/ports/documents.port.js';
import { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { Egress } from '../../ports/egress.port.js';
import { WEBHOOKS } from '../aggregates.js';
import { pageOf, viewInTenant } from '../reading.js';
import type { ResultOf, Page, View } from '../request.js';

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
  constructor(private readonly documents: Documents) {}

  async execute({ id, tenant }: GetWebhook): Promise<ResultOf<GetWebhook>> {
    return viewInTenant(this.documents, WEBHOOKS.projection, id, tenant);
  }
}

/** A page of endpoints, newest first. `page` starts at 1. */
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
  constructor(private readonly documents: Documents) {}

  async execute({ page, limit, tenant }: ListWebhooks): Promise<ResultOf<ListWebhooks>> {
    return pageOf(this.documents, WEBHOOKS.projection.collection, { where: { tenant }, sort: ['-createdAt'], page, limit }, 'sum');
  }
}

/** Validates a URL that a caller supplied. Returns the problem as a sentence, or null if requests may be sent to the URL. */
export class ValidateUrl extends Query<string | null> {
  constructor(readonly url: string) {
    super();
  }
}

@QueryHandler(ValidateUrl)
export class ValidateUrlHandler implements IQueryHandler<ValidateUrl> {
  constructor(private readonly egress: Egress) {}

  async execute({ url }: ValidateUrl): Promise<ResultOf<ValidateUrl>> {
    return this.egress.validateUrl(url);
  }
}

/** The public key of order callbacks: 32 bytes. */
export class GetCallbackPublicKey extends Query<Uint8Array> {}

@QueryHandler(GetCallbackPublicKey)
export class GetCallbackPublicKeyHandler implements IQueryHandler<GetCallbackPublicKey> {
  constructor(private readonly keys: KeyVault) {}

  async execute(): Promise<ResultOf<GetCallbackPublicKey>> {
    return (await openCallbackKey(this.keys)).publicKey;
  }
}

/** The query handlers of webhook endpoints, for the module. */
export const WEBHOOK_QUERY_HANDLERS = [GetWebhookHandler, ListWebhooksHandler, ValidateUrlHandler, GetCallbackPublicKeyHandler];
