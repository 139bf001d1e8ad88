import { Allow, ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsBoolean, IsIn, IsString, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import {
  SUBSCRIBABLE_EVENTS,
  DISABLED_REASONS,
  WEBHOOK_STATUSES,
  type SubscribableEvent,
  type DisabledReason,
  type WebhookStatus,
  type WebhookRegistration,
  type WebhookTerms,
} from '../../../libs/domain/webhooks/webhook.events.js';
import { Pagination } from '../http/collection.dto.js';
import { AS_SENT, inputOf, NOT_IN_INPUT, type InputMapping } from '../http/validation/input-mapping.js';
import { Described, Documented, HttpUri, DateTime, Nested, OneLine, Optional, ReadOnly, Schema } from '../http/validation/rules.js';

const URL_MEANING = 'The URL that receives the events: http or https, on the public Internet';
const EVENTS_MEANING = 'The names of the events that are sent to the endpoint, each at most once';
const ORDERED_MEANING = 'Whether deliveries about one order, payment or pet are sent one at a time, in the order of the events';
const SECRET_NAME_MEANING =
  'Endpoints of a tenant that are registered with the same name have the same secrets, at the same time or one after another. Without a name, an endpoint has secrets of its own';
const STATUS_MEANING = 'Events for a disabled endpoint are parked and not sent';

/** The fields of an endpoint that its owner sets, and the read-only fields, which are ignored (contract 3.9). */
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
  @Schema({ description: EVENTS_MEANING, examples: [['order.statusChanged', 'payment.succeeded']], documented: { uniqueItems: undefined } })
  readonly events!: readonly SubscribableEvent[];

  @Optional()
  @IsBoolean()
  @Schema({ description: ORDERED_MEANING, default: false, examples: [false] })
  readonly ordered?: boolean;

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly id?: unknown;

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly disabledReason?: unknown;

  @ReadOnly('Set by the service. A value in a request is ignored and not stored')
  readonly secret?: unknown;

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly createdAt?: unknown;

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly updatedAt?: unknown;
}

/** The body of a registration. */
@Documented('A webhook endpoint to be registered')
export class WebhookRequest extends WebhookTermsBody {
  @Optional()
  @OneLine(1, 500)
  @Described(SECRET_NAME_MEANING, 'my laptop')
  readonly secretName?: string;

  @ReadOnly('A new endpoint is enabled. A value in a request is ignored')
  readonly status?: unknown;
}

/** The body of a replacement. */
@Documented('The new state of a webhook endpoint')
export class WebhookReplacement extends WebhookTermsBody {
  @ReadOnly('Set when the endpoint is registered. A value in a replacement is ignored')
  readonly secretName?: unknown;

  @Optional()
  @IsString()
  @IsIn(WEBHOOK_STATUSES)
  @Described(`${STATUS_MEANING}. If absent, the status does not change. The value \`enabled\` enables a disabled endpoint`, 'enabled')
  readonly status?: WebhookStatus;
}

/** The representation of an endpoint in responses. */
@Documented('A webhook endpoint')
export class Webhook {
  @IsString()
  @Schema({ format: 'uuid', readOnly: true, description: 'Set by the service' })
  readonly id!: string;

  @HttpUri()
  @Described(URL_MEANING, 'https://shop.example.com/webhooks')
  readonly url!: string;

  @IsArray()
  @IsString({ each: true })
  @Schema({
    items: { type: 'string', 'x-extensible-enum': SUBSCRIBABLE_EVENTS },
    description: EVENTS_MEANING,
    examples: [['order.statusChanged', 'payment.succeeded']],
  })
  readonly events!: readonly SubscribableEvent[];

  @IsBoolean()
  @Described(ORDERED_MEANING, false)
  readonly ordered!: boolean;

  @Optional()
  @IsString()
  @Described(SECRET_NAME_MEANING, 'my laptop')
  readonly secretName?: string;

  @IsString()
  @IsIn(WEBHOOK_STATUSES)
  @Described(STATUS_MEANING, 'enabled')
  readonly status!: WebhookStatus;

  @Optional()
  @IsString()
  @IsIn(DISABLED_REASONS)
  @Schema({
    description: 'gone: the endpoint answered 410; failing: every attempt failed for 5 days; requested: a PUT disabled the endpoint',
    readOnly: true,
  })
  readonly disabledReason?: DisabledReason;

  @DateTime()
  @Schema({ description: 'When the endpoint was registered', readOnly: true })
  readonly createdAt!: string;

  @DateTime()
  @Schema({ description: 'When the endpoint last changed', readOnly: true })
  readonly updatedAt!: string;
}

const SECRET = {
  description: 'The secret that signs deliveries (Standard Webhooks 1.0). Store the secret, because no later response shows it',
  pattern: '^whsec_[A-Za-z0-9+/]+=*$',
  readOnly: true,
};

/** The response to a registration. */
@Documented('A new webhook endpoint with its secret')
export class RegisteredWebhook extends Webhook {
  @IsString()
  @Schema(SECRET)
  readonly secret!: string;
}

/** The response to a rotation of the secret. */
@Documented('The new secret of a webhook endpoint')
export class WebhookSecret {
  @IsString()
  @Schema(SECRET)
  readonly secret!: string;

  @DateTime()
  @Schema({ description: 'When the secret was rotated', readOnly: true })
  readonly rotatedAt!: string;

  @DateTime()
  @Schema({
    description: 'Until this time, the former secret also signs each delivery. After several rotations, only the four newest secrets sign',
    readOnly: true,
  })
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

/** The public key of the key pair that signs order callbacks (contract 17.7). */
@Documented('The public key that verifies order callbacks')
export class CallbackPublicKey {
  @IsString()
  @Schema({
    description: 'The 32 bytes of the Ed25519 key in the form of Standard Webhooks 1.0: `whpk_`, followed by base64',
    pattern: '^whpk_[A-Za-z0-9+/]+=*$',
  })
  readonly publicKey!: string;

  @Allow()
  @Schema({
    type: 'object',
    description: 'The same key as a JSON Web Key (RFC 8037)',
    required: ['kty', 'crv', 'x', 'use', 'alg', 'kid'],
    properties: {
      kty: { type: 'string', const: 'OKP' },
      crv: { type: 'string', const: 'Ed25519' },
      x: { type: 'string', description: 'The 32 bytes in base64url' },
      use: { type: 'string', const: 'sig' },
      alg: { type: 'string', const: 'EdDSA' },
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

/** Maps the body to the registration of a new endpoint. */
export const webhookRegistration = inputOf<WebhookRequest, WebhookRegistration>({ ...TERMS, secretName: AS_SENT });

/** Maps the body to the new terms of an endpoint. The status is another argument of the command. */
export const replacedWebhookTerms = inputOf<WebhookReplacement, WebhookTerms>({ ...TERMS, status: NOT_IN_INPUT });
