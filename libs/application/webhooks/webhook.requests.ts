import { Command, Query } from '@nestjs/cqrs';
import type { WebhookRejection } from '../../domain/webhooks/webhook.decider.js';
import type { WebhookStatus, WebhookTerms } from '../../domain/webhooks/webhook.events.js';
import type { Rejection } from '../../eventsourcing/decider.js';
import type { Created, Page, RequestContext, View } from '../request.js';

type Refused<Reason extends string> = Rejection<Reason | 'contended' | 'precondition_failed'>;

/** Registers an endpoint; the answer's JSON shows its secret. */
export class CreateWebhook extends Command<Created | Refused<WebhookRejection | 'too_many_webhooks' | 'idempotency_key_reused'>> {
  constructor(
    readonly terms: WebhookTerms,
    readonly request: RequestContext,
  ) {
    super();
  }
}

/** Replaces what is said of an endpoint; a status that is left out stays as it is. */
export class UpdateWebhook extends Command<View | Refused<WebhookRejection>> {
  constructor(
    readonly id: string,
    readonly terms: WebhookTerms,
    readonly status: WebhookStatus | undefined,
    readonly request: RequestContext,
  ) {
    super();
  }
}

/** Takes an endpoint away; answers nothing when done. */
export class DeleteWebhook extends Command<null | Refused<WebhookRejection>> {
  constructor(
    readonly id: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

/** A secret as it is shown, once. */
type ShownSecret = {
  /** `whsec_` and base64. */
  readonly secret: string;
  readonly rotatedAt: string;
  /** Until then the former one signs too. */
  readonly formerUntil: string;
};

/** Gives an endpoint another secret; `replayed` when an earlier request with the same Idempotency-Key had done so. */
export class RotateSecret extends Command<(ShownSecret & { readonly replayed: boolean }) | Refused<WebhookRejection>> {
  constructor(
    readonly id: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

/** One endpoint, or null. */
export class GetWebhook extends Query<View | null> {
  constructor(
    readonly id: string,
    readonly tenant: string,
  ) {
    super();
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

/** Why an address that a caller gave cannot be called, in a sentence; null when nothing speaks against it. */
export class FindObjection extends Query<string | null> {
  constructor(readonly url: string) {
    super();
  }
}

/** The public half of the key that order callbacks are signed with: 32 bytes. */
export class GetCallbackPublicKey extends Query<Uint8Array> {}
