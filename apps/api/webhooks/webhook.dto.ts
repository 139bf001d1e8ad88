import { Allow, ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsBoolean, IsIn, IsString, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import {
  SUBSCRIBABLE_EVENTS,
  DISABLED_REASONS,
  WEBHOOK_STATUSES,
  type SubscribableEvent,
  type DisabledReason,
  type WebhookStatus,
  type WebhookTerms,
} from '../../../libs/domain/webhooks/webhook.events.js';
import { Pagination } from '../http/collection.dto.js';
import { AS_SENT, inputOf, SEPARATE, type InputMapping } from '../http/validation/input-mapping.js';
import { Described, Documented, HttpUri, Moment, Nested, Optional, ReadOnly, Schema } from '../http/validation/rules.js';

const URL_MEANING = 'Where events are posted to: an http or https address on the public Internet';
const EVENTS_MEANING = 'What it is told of';
const ORDERED_MEANING = 'Whether what happens to one order, payment or pet is told in its order, one delivery at a time';
const STATUS_MEANING = 'A disabled endpoint is told nothing; its deliveries are kept';

/** What the owner of an endpoint says of it. */
export class WebhookTermsBody {
  @HttpUri()
  @Described(URL_MEANING, 'https://shop.example.com/webhooks')
  readonly url!: string;

  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(SUBSCRIBABLE_EVENTS.length)
  @ArrayUnique()
  @IsString({ each: true })
  @IsIn(SUBSCRIBABLE_EVENTS, { each: true })
  @Described(EVENTS_MEANING, ['order.statusChanged', 'payment.succeeded'])
  readonly events!: readonly SubscribableEvent[];

  @Optional()
  @IsBoolean()
  @Schema({ description: ORDERED_MEANING, default: false, examples: [false] })
  readonly ordered?: boolean;

  @ReadOnly('Made by the service; ignored')
  readonly id?: unknown;

  @ReadOnly('Kept by the service; ignored')
  readonly disabledReason?: unknown;

  @ReadOnly('Made by the service; ignored, and kept nowhere')
  readonly secret?: unknown;

  @ReadOnly('Kept by the service; ignored')
  readonly createdAt?: unknown;

  @ReadOnly('Kept by the service; ignored')
  readonly updatedAt?: unknown;
}

/** An endpoint to be registered. */
@Documented('A webhook endpoint to be registered')
export class NewWebhook extends WebhookTermsBody {
  @ReadOnly('Enabled at first; ignored')
  readonly status?: unknown;
}

/** An endpoint as it is to be from now on. */
@Documented('A webhook endpoint as it is to be from now on')
export class WebhookReplacement extends WebhookTermsBody {
  @Optional()
  @IsString()
  @IsIn(WEBHOOK_STATUSES)
  @Described(`${STATUS_MEANING}. Stays as it is when left out; enabled switches a disabled one on again`, 'enabled')
  readonly status?: WebhookStatus;
}

/** An endpoint as it is read. */
@Documented('A webhook endpoint')
export class Webhook {
  @IsString()
  @Schema({ format: 'uuid', readOnly: true, description: 'Made by the service' })
  readonly id!: string;

  @HttpUri()
  @Described(URL_MEANING, 'https://shop.example.com/webhooks')
  readonly url!: string;

  @IsArray()
  @IsString({ each: true })
  @IsIn(SUBSCRIBABLE_EVENTS, { each: true })
  @Described(EVENTS_MEANING, ['order.statusChanged', 'payment.succeeded'])
  readonly events!: readonly SubscribableEvent[];

  @IsBoolean()
  @Described(ORDERED_MEANING, false)
  readonly ordered!: boolean;

  @IsString()
  @IsIn(WEBHOOK_STATUSES)
  @Described(STATUS_MEANING, 'enabled')
  readonly status!: WebhookStatus;

  @Optional()
  @IsString()
  @IsIn(DISABLED_REASONS)
  @Schema({ description: 'Why it is disabled: it answered 410, it failed for 5 days without a break, or it was asked for', readOnly: true })
  readonly disabledReason?: DisabledReason;

  @Moment()
  @Schema({ description: 'When it was registered', readOnly: true })
  readonly createdAt!: string;

  @Moment()
  @Schema({ description: 'When it last changed', readOnly: true })
  readonly updatedAt!: string;
}

const SECRET = {
  description: 'What deliveries are signed with (Standard Webhooks 1.0). Shown here, and never again: keep it',
  pattern: '^whsec_[A-Za-z0-9+/]+=*$',
  readOnly: true,
};

/** An endpoint just registered, with its secret. */
@Documented('A webhook endpoint just registered, with its secret')
export class RegisteredWebhook extends Webhook {
  @IsString()
  @Schema(SECRET)
  readonly secret!: string;
}

/** An endpoint's new secret. */
@Documented('A webhook endpoint’s new secret')
export class WebhookSecret {
  @IsString()
  @Schema(SECRET)
  readonly secret!: string;

  @Moment()
  @Schema({ description: 'Since when it is in force', readOnly: true })
  readonly rotatedAt!: string;

  @Moment()
  @Schema({ description: 'Until then every delivery is signed with the former one too, unless three newer ones sign', readOnly: true })
  readonly formerUntil!: string;
}

/** A page of endpoints. */
@Documented('A page of webhook endpoints')
export class WebhookCollection {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Webhook)
  @Described('The endpoints on this page, newest first')
  readonly data!: readonly Webhook[];

  @Nested(() => Pagination)
  readonly pagination!: Pagination;
}

/** The public half of the key that order callbacks are signed with. */
@Documented('The key that callbacks are checked with')
export class CallbackPublicKey {
  @IsString()
  @Schema({ description: 'The 32 bytes of the Ed25519 key, as Standard Webhooks 1.0 writes them', pattern: '^whpk_[A-Za-z0-9+/]+=*$' })
  readonly publicKey!: string;

  @Allow()
  @Schema({
    type: 'object',
    description: 'The same as a JSON Web Key (RFC 8037)',
    required: ['kty', 'crv', 'x', 'use', 'alg', 'kid'],
    properties: {
      kty: { const: 'OKP' },
      crv: { const: 'Ed25519' },
      x: { type: 'string', description: 'The 32 bytes in base64url' },
      use: { const: 'sig' },
      alg: { const: 'EdDSA' },
      kid: { type: 'string', description: 'The thumbprint of the key (RFC 7638)' },
    },
    additionalProperties: false,
  })
  readonly jwk!: object;
}

const TERMS = {
  url: AS_SENT,
  events: AS_SENT,
  ordered: ({ ordered = false }) => ordered,
} as const satisfies InputMapping<WebhookTermsBody, WebhookTerms>;

/** The terms of a new endpoint. */
export const newWebhookTerms = inputOf<NewWebhook, WebhookTerms>(TERMS);

/** The terms that an endpoint has from now on; its status is an argument of its own. */
export const replacedWebhookTerms = inputOf<WebhookReplacement, WebhookTerms>({ ...TERMS, status: SEPARATE });
