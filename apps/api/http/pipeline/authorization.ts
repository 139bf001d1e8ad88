import type { AccessPolicy } from '../../../../libs/settings/settings.js';
import type { TokenClaims } from '../../../../libs/ports/access-token.port.js';
import type { OperationId } from '../../operations.js';
import { Problem } from '../problems/problem.js';
import type { Scope } from './scopes.js';

/**
 * What an operation asks of its caller: nothing; a valid token; a token with a scope; or a token whose subject then
 * sees and touches what is their own only, unless it is staff's.
 */
export type Requirement = 'nothing' | 'token' | 'owner' | { readonly scope: Scope };

/** "Staff means a bearer token … with the stated scope": who deals with everybody's orders. */
const STAFF: Scope = 'write:orders';

const ANYBODY = { documented: 'nothing', strict: 'nothing' } as const;
/** "`strict`: orders, payments … need a token, and an owner or staff." */
const OWNER_WHEN_STRICT = { documented: 'nothing', strict: 'owner' } as const;
const always = <R extends Requirement>(requirement: R): Readonly<Record<AccessPolicy, R>> => ({
  documented: requirement,
  strict: requirement,
});

/** Who may do what, under each policy. "documented (default): exactly the credentials the endpoint table declares." */
export const ACCESS: Readonly<Record<OperationId, Readonly<Record<AccessPolicy, Requirement>>>> = {
  listPets: ANYBODY,
  getPet: ANYBODY,
  searchPets: ANYBODY,
  searchPetsByPath: ANYBODY,
  searchPetsByPost: ANYBODY,
  createPet: always({ scope: 'write:pets' }),
  updatePet: always({ scope: 'write:pets' }),
  deletePet: always({ scope: 'write:pets' }),
  // "GET /v1/orders (scope write:orders, or one's own with a user's token)"
  listOrders: always('owner'),
  createOrder: OWNER_WHEN_STRICT,
  getOrder: OWNER_WHEN_STRICT,
  deleteOrder: OWNER_WHEN_STRICT,
  shipOrder: always({ scope: 'write:orders' }),
  deliverOrder: always({ scope: 'write:orders' }),
  createOrderPayment: OWNER_WHEN_STRICT,
  getOrderPayment: OWNER_WHEN_STRICT,
  getOrderReceipt: OWNER_WHEN_STRICT,
  // "`strict`: orders, payments, callbacks and users need a token, and an owner or staff."
  callbackOrder: OWNER_WHEN_STRICT,
  // "`/v1/webhooks` (scope write:webhooks)"
  listWebhooks: always({ scope: 'write:webhooks' }),
  createWebhook: always({ scope: 'write:webhooks' }),
  getWebhook: always({ scope: 'write:webhooks' }),
  updateWebhook: always({ scope: 'write:webhooks' }),
  deleteWebhook: always({ scope: 'write:webhooks' }),
  rotateWebhookSecret: always({ scope: 'write:webhooks' }),
  testWebhook: always({ scope: 'write:webhooks' }),
  listWebhookDeliveries: always({ scope: 'write:webhooks' }),
  getWebhookDelivery: always({ scope: 'write:webhooks' }),
  redeliverWebhookDelivery: always({ scope: 'write:webhooks' }),
  redeliverToWebhook: always({ scope: 'write:webhooks' }),
  getWebhookRedelivery: always({ scope: 'write:webhooks' }),
  // The receiver of a callback must be able to verify it, and may be no client of this service.
  getCallbackPublicKey: ANYBODY,
  // "It needs a bearer token."
  getInventory: always('token'),
};

const REALM = 'Bearer realm="petstore"';

/** The challenge to a request without a token where one is needed. */
const tokenMissing = (): Problem =>
  new Problem('unauthorized', 'This operation needs an access token.', { headers: { 'www-authenticate': REALM } });

/** RFC 6750, 3.1, for a token that is expired, revoked, malformed or none of ours. */
export const tokenInvalid = (): Problem =>
  new Problem('unauthorized', 'The access token is expired, malformed or not one of this service.', {
    headers: {
      'www-authenticate': `${REALM}, error="invalid_token", error_description="The access token is expired, malformed or unknown"`,
    },
  });

const scopeMissing = (scope: Scope): Problem =>
  new Problem('forbidden', `This operation needs a token with scope ${scope}.`, {
    headers: { 'www-authenticate': `${REALM}, error="insufficient_scope", scope="${scope}"` },
  });

/** Whether a caller (null for nobody known) may go on; the problem if not. */
export const refuseAccess = (requirement: Requirement, caller: TokenClaims | null): Problem | null => {
  if (requirement === 'nothing') return null;
  if (!caller) return tokenMissing();
  if (typeof requirement === 'string' || caller.scopes.has(requirement.scope)) return null;
  return scopeMissing(requirement.scope);
};

/** To whose orders a caller is confined; null when to nobody's. */
export const confinedTo = (requirement: Requirement, caller: TokenClaims | null): string | null =>
  requirement === 'owner' && caller && !caller.scopes.has(STAFF) ? caller.subject : null;
