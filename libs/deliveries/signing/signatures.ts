import { sign } from 'node:crypto';
import { unreachable } from '../../eventsourcing/message.js';
import type { Signable, Signer } from '../../ports/signer.port.js';
import type { CallbackKey } from './callback-key.js';
import { activeSecrets, secretOwner, type WebhookSecrets } from './webhook-secrets.js';
import type { Delivery } from '../delivery.js';
import type { Endpoint } from '../endpoints.js';

/** The keys that sign deliveries: a shared secret per endpoint, and the service's own key for callbacks. */
export type SigningKeys = { readonly signer: Signer; readonly secrets: WebhookSecrets; readonly callbackKey: CallbackKey };

/** The current destination of an attempt. Its kind decides how the attempt is signed. */
export type Destination = { readonly kind: 'webhook'; readonly endpoint: Endpoint } | { readonly kind: 'callback'; readonly url: string };

/**
 * Builds the headers of an attempt by Standard Webhooks 1.0. The webhook-id is the same in every attempt
 * (contract 20.1).
 */
export const signedHeaders = (
  signing: SigningKeys,
  destination: Destination,
  { eventId: id }: Pick<Delivery, 'eventId'>,
  body: string,
  sentAt: Date,
): Readonly<Record<string, string>> => ({
  'content-type': 'application/json',
  'user-agent': 'petstore-webhooks/1.0',
  'webhook-id': id,
  'webhook-timestamp': secondsOf(sentAt),
  'webhook-signature': signaturesFor(signing, destination, { id, body, sentAt }).join(' '),
});

const signaturesFor = ({ signer, secrets, callbackKey }: SigningKeys, destination: Destination, message: Signable): readonly string[] => {
  switch (destination.kind) {
    case 'webhook': {
      const { endpoint } = destination;
      // For 24 h after a rotation the former secret signs too, so a receiver with either secret accepts the
      // message (contract 18.3).
      const owner = secretOwner(endpoint, endpoint.tenant);
      return activeSecrets(endpoint, message.sentAt).map((number) => signer.sign(secrets.of(owner, number), message));
    }
    case 'callback':
      return [signedByService(callbackKey, message)];
    default:
      return unreachable(destination);
  }
};

/**
 * Signs a message with the service's own Ed25519 key. The signed text has the same form as with a shared secret
 * (contract 17.7).
 */
const signedByService = ({ privateKey }: CallbackKey, { id, body, sentAt }: Signable): string =>
  `v1a,${sign(null, Buffer.from(`${id}.${secondsOf(sentAt)}.${body}`), privateKey).toString('base64')}`;

const secondsOf = (time: Date): string => String(Math.floor(time.getTime() / 1000));
