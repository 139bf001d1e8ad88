import type { Projection } from '../eventsourcing/projection.js';
import { ordersProjection } from './orders.projection.js';
import { paymentsProjection } from './payments.projection.js';
import { petsProjection } from './pets.projection.js';
import { webhooksProjection } from './webhooks.projection.js';

/**
 * All projections. The first of a category shows its aggregate: writes wait for it (contract 10.2). Each runs on
 * its own category and documents only, so the cast drops their types safely.
 */
export const projections = [petsProjection, ordersProjection, paymentsProjection, webhooksProjection] as unknown as readonly Projection[];
