import { Module } from '@nestjs/common';
import { DeliveriesController } from './deliveries.controller.js';
import { WebhooksController } from './webhooks.controller.js';

/** Serves the operations on webhook endpoints and their deliveries. */
@Module({ controllers: [WebhooksController, DeliveriesController] })
export class WebhooksModule {}
