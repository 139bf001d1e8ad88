import type { Projection } from '../eventsourcing/projection.js';
import { ordersProjection } from './orders.projection.js';
import { paymentsProjection } from './payments.projection.js';
import { petsProjection } from './pets.projection.js';
import { webhooksProjection } from './webhooks.projection.js';

/**
 * All projections. Each runs on its own category and documents only, so the cast drops their types safely.
 */
export const projections = [petsProjection, ordersProjection, paymentsProjection, webhooksProjection] as unknown as readonly Projection[];
