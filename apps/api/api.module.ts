import type { DynamicModule, Type } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { AsyncapiController } from './describe/asyncapi/asyncapi.controller.js';
import { DocsController } from './describe/pages/docs.controller.js';
import { EventsPageController } from './describe/pages/events/events.controller.js';
import { ErrorPagesController } from './describe/pages/error-pages.controller.js';
import { HealthController } from './health/health.controller.js';
import type { ReadinessCheck } from './health/readiness.js';
import type { PublicAddress } from './http/public-address.js';
import { InventoriesController } from './inventories/inventories.controller.js';
import { OpenapiController } from './describe/openapi/openapi.controller.js';
import { OrderCallbacksController } from './orders/order-callbacks.controller.js';
import { OrdersController } from './orders/orders.controller.js';
import { PaymentsController } from './payments/payments.controller.js';
import { PetsController } from './pets/pets.controller.js';
import { DeliveriesController } from './webhooks/deliveries.controller.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';
import { PUBLIC_ADDRESS, READINESS_CHECKS, TOPIC_REPLICAS } from './tokens.js';

/** Whose methods are the handlers of operations. */
export const OPERATION_CONTROLLERS: readonly Type<object>[] = [
  PetsController,
  OrdersController,
  OrderCallbacksController,
  PaymentsController,
  InventoriesController,
  WebhooksController,
  DeliveriesController,
];

type ApiParts = {
  /** Exports the command and query buses. */
  readonly application: DynamicModule;
  readonly address: PublicAddress;
  readonly health: readonly ReadinessCheck[];
  /** On how many brokers the topics rest. */
  readonly topicReplicas: number;
};

/** The HTTP side: controllers on the buses of the application. */
export class ApiModule {
  static on({ application, address, health, topicReplicas }: ApiParts): DynamicModule {
    return {
      module: ApiModule,
      imports: [application, TerminusModule.forRoot({ logger: false })],
      controllers: [
        ...OPERATION_CONTROLLERS,
        OpenapiController,
        AsyncapiController,
        EventsPageController,
        DocsController,
        ErrorPagesController,
        HealthController,
      ],
      providers: [
        { provide: PUBLIC_ADDRESS, useValue: address },
        { provide: READINESS_CHECKS, useValue: health },
        { provide: TOPIC_REPLICAS, useValue: topicReplicas },
      ],
    };
  }
}
