import type { Projection } from '../eventsourcing/projection.js';
import { ordersProjection } from './orders.projection.js';
import { paymentsProjection } from './payments.projection.js';
import { petsProjection } from './pets.projection.js';
import { usersProjection } from './users.projection.js';
import { webhooksProjection } from './webhooks.projection.js';

/**
 * All projections. Responses to writes wait for the first projection of the aggregate's category (contract
 * 10.2). The cast is safe, because each projection receives only events of its own category.
 */
export const projections = [
  petsProjection,
  ordersProjection,
  paymentsProjection,
  webhooksProjection,
  usersProjection,
] as unknown as readonly Projection[];
