import type { Projection } from '../eventsourcing/projection.js';
import { ordersProjection } from './orders.projection.js';
import { paymentsProjection } from './payments.projection.js';
import { petsProjection } from './pets.projection.js';
import { webhooksProjection } from './webhooks.projection.js';

/** Everything that can be read. Each is run on its own category and its own documents, so what they are may be forgotten here. */
export const projections = [petsProjection, ordersProjection, paymentsProjection, webhooksProjection] as unknown as readonly Projection[];
