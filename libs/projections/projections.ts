import type { Projection } from '../eventsourcing/projection.js';
import { adoptionsProjection } from './adoptions.projection.js';
import { ordersProjection } from './orders.projection.js';
import { petNamesProjection } from './pet-names.projection.js';
import { paymentsProjection } from './payments.projection.js';
import { petsProjection } from './pets.projection.js';
import { usersProjection } from './users.projection.js';
import { webhooksProjection } from './webhooks.projection.js';

/**
 * All projections. The response to a write waits for the first projection in this list that has the category of the changed
 * aggregate (contract 10.2). The cast is safe, because each projection receives only events of its own category.
 */
export const projections = [
  petsProjection,
  petNamesProjection,
  ordersProjection,
  paymentsProjection,
  adoptionsProjection,
  webhooksProjection,
  usersProjection,
] as unknown as readonly Projection[];
