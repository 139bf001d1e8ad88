import { adoptionDecider } from '../domain/adoptions/adoption.decider.js';
import { numbersDecider } from '../domain/numbers/numbers.decider.js';
import { operationsDecider } from '../domain/operations/operator-actions.js';
import { orderDecider } from '../domain/orders/order.decider.js';
import { paymentDecider } from '../domain/payments/payment.decider.js';
import { petDecider } from '../domain/pets/pet.decider.js';
import { revocationsDecider } from '../domain/revocations/revocations.decider.js';
import { securityDecider } from '../domain/security/security.decider.js';
import { emailDecider, usernameDecider } from '../domain/users/name-claim.decider.js';
import { userDecider } from '../domain/users/user.decider.js';
import { webhookSlotsDecider } from '../domain/webhooks/webhook-slots.decider.js';
import { webhookDecider } from '../domain/webhooks/webhook.decider.js';
import { adoptionsProjection } from '../projections/adoptions.projection.js';
import { ordersProjection } from '../projections/orders.projection.js';
import { paymentsProjection } from '../projections/payments.projection.js';
import { petsProjection } from '../projections/pets.projection.js';
import { usersProjection } from '../projections/users.projection.js';
import { webhooksProjection } from '../projections/webhooks.projection.js';

/** Each aggregate: the category of its streams, its rules, and its read model. */
export const PETS = { category: 'pet', decider: petDecider, projection: petsProjection, stateVersion: 2 } as const;
export const ORDERS = { category: 'order', decider: orderDecider, projection: ordersProjection, stateVersion: 1 } as const;
export const PAYMENTS = { category: 'payment', decider: paymentDecider, projection: paymentsProjection, stateVersion: 1 } as const;
export const ADOPTIONS = { category: 'adoption', decider: adoptionDecider, projection: adoptionsProjection, stateVersion: 1 } as const;
export const WEBHOOKS = { category: 'webhook', decider: webhookDecider, projection: webhooksProjection, stateVersion: 1 } as const;
/** A tenant's slots for webhook endpoints. The aggregate's id is the tenant. The slots have no read model and no topic. */
export const WEBHOOK_SLOTS = { category: 'webhookslots', decider: webhookSlotsDecider, stateVersion: 1 } as const;
/** A tenant's reserved numbers of pets, orders and users. The aggregate's id is the tenant. Numbers have no read model and no topic. */
export const NUMBERS = { category: 'numbers', decider: numbersDecider, stateVersion: 1 } as const;
export const USERS = { category: 'user', decider: userDecider, projection: usersProjection, stateVersion: 1 } as const;
/** The claims of one username or one email address. The id is the digest of that name. Claims have no read model and no topic. */
export const USERNAMES = { category: 'username', decider: usernameDecider, stateVersion: 1 } as const;
export const EMAILS = { category: 'email', decider: emailDecider, stateVersion: 1 } as const;
/** The tokens that ended on one day (UTC). The aggregate's id is the date. These events have no read model and no topic. */
export const REVOCATIONS_OF_DAY = { category: 'revocations', decider: revocationsDecider, stateVersion: 1 } as const;
/** The security events of one day (UTC). The aggregate's id is the date. These events have no read model and no topic. */
export const SECURITY_OF_DAY = { category: 'security', decider: securityDecider, stateVersion: 1 } as const;
/** What operators did on one day (UTC). The aggregate's id is the date. These events have no read model and no topic. */
export const OPERATIONS_OF_DAY = { category: 'operations', decider: operationsDecider, stateVersion: 1 } as const;
