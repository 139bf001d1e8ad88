import { Module, type DynamicModule } from '@nestjs/common';
import type { TopicSettings } from './describe/asyncapi/topics.js';
import { DescribeModule } from './describe/describe.module.js';
import { HealthModule } from './health/health.module.js';
import type { ReadinessCheck } from './health/readiness.js';
import type { PublicAddress } from './http/public-address.js';
import { RESOURCES } from './operations.js';
import { PUBLIC_ADDRESS, READINESS_CHECKS, RETRY_DELAYS, TOKEN_COMMAND, TOPIC_SETTINGS } from './tokens.js';

type ApiParts = {
  /** The module of the application layer, which exports the command and query buses. */
  readonly application: DynamicModule;
  readonly address: PublicAddress;
  readonly health: readonly ReadinessCheck[];
  readonly topics: TopicSettings;
  /** The delay before each attempt of a delivery, in milliseconds. */
  readonly retryDelays: readonly number[];
  /** The shell command that creates a token, for the landing page. */
  readonly tokenCommand: string;
};

/** The root module of the HTTP interface. Its controllers call the buses of the application layer. */
@Module({ imports: [...RESOURCES, DescribeModule, HealthModule] })
export class ApiModule {
  /**
   * Returns the module with values that are known only at startup. It is global, because the controllers of
   * every module inject them.
   */
  static on({ application, address, health, topics, retryDelays, tokenCommand }: ApiParts): DynamicModule {
    return {
      module: ApiModule,
      global: true,
      imports: [application],
      providers: [
        { provide: PUBLIC_ADDRESS, useValue: address },
        { provide: READINESS_CHECKS, useValue: health },
        { provide: TOPIC_SETTINGS, useValue: topics },
        { provide: RETRY_DELAYS, useValue: retryDelays },
        { provide: TOKEN_COMMAND, useValue: tokenCommand },
      ],
      exports: [PUBLIC_ADDRESS, READINESS_CHECKS, RETRY_DELAYS, TOPIC_SETTINGS, TOKEN_COMMAND],
    };
  }
}
