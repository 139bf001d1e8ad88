import type { DynamicModule } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { AsyncapiController } from './describe/asyncapi/asyncapi.controller.js';
import { DocsController } from './describe/pages/docs.controller.js';
import { EventsPageController } from './describe/pages/events/events.controller.js';
import { ErrorPagesController } from './describe/pages/error-pages.controller.js';
import { HealthController } from './health/health.controller.js';
import type { ReadinessCheck } from './health/readiness.js';
import type { PublicAddress } from './http/public-address.js';
import { OpenapiController } from './describe/openapi/openapi.controller.js';
import { OPERATION_CONTROLLERS } from './operations.js';
import { PUBLIC_ADDRESS, READINESS_CHECKS, TOPIC_REPLICAS } from './tokens.js';

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
