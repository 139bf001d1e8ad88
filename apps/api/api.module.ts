import { Module, type DynamicModule } from '@nestjs/common';
import { DescribeModule } from './describe/describe.module.js';
import { HealthModule } from './health/health.module.js';
import type { ReadinessCheck } from './health/readiness.js';
import type { PublicAddress } from './http/public-address.js';
import { RESOURCES } from './operations.js';
import { PUBLIC_ADDRESS, READINESS_CHECKS, RETRY_DELAYS, TOKEN_COMMAND, TOPIC_REPLICAS } from './tokens.js';

type ApiParts = {
  /** Global, and exports the command and query buses. */
  readonly application: DynamicModule;
  readonly address: PublicAddress;
  readonly health: readonly ReadinessCheck[];
  /** On how many brokers the topics rest. */
  readonly topicReplicas: number;
  /** The delay before each attempt of a delivery, in milliseconds. */
  readonly retryDelays: readonly number[];
  /** The shell command that makes a token, for the landing page. */
  readonly tokenCommand: string;
};

/** The HTTP side: the modules of the interface, on the buses of the application. */
@Module({ imports: [...RESOURCES, DescribeModule, HealthModule] })
export class ApiModule {
  /** Dynamic, since the address and the checks are known at the start only; global, since controllers of every module ask for them. */
  static on({ application, address, health, topicReplicas, retryDelays, tokenCommand }: ApiParts): DynamicModule {
    return {
      module: ApiModule,
      global: true,
      imports: [application],
      providers: [
        { provide: PUBLIC_ADDRESS, useValue: address },
        { provide: READINESS_CHECKS, useValue: health },
        { provide: TOPIC_REPLICAS, useValue: topicReplicas },
        { provide: RETRY_DELAYS, useValue: retryDelays },
        { provide: TOKEN_COMMAND, useValue: tokenCommand },
      ],
      exports: [PUBLIC_ADDRESS, READINESS_CHECKS, RETRY_DELAYS, TOPIC_REPLICAS, TOKEN_COMMAND],
    };
  }
}
