import { Module, type DynamicModule } from '@nestjs/common';
import type { Clock } from '../../libs/eventsourcing/ports/clock.port.js';
import type { TokenSigner } from '../../libs/ports/access-token.port.js';
import type { TopicSettings } from './describe/asyncapi/topics.js';
import { DescribeModule } from './describe/describe.module.js';
import { HealthModule } from './health/health.module.js';
import type { ReadinessCheck } from './health/readiness.js';
import type { PublicAddress } from './http/public-address.js';
import { OPERATION_MODULES } from './operations.js';
import { CLOCK, PUBLIC_ADDRESS, READINESS_CHECKS, RETRY_DELAYS, TOKEN_COMMAND, TOKEN_SIGNER, TOPIC_SETTINGS } from './tokens.js';

type ApiParts = {
  /** The module of the application layer, which exports the command and query buses. */
  readonly application: DynamicModule;
  readonly address: PublicAddress;
  readonly health: readonly ReadinessCheck[];
  readonly topics: TopicSettings;
  /** The delay before each attempt of a delivery, in milliseconds. */
  readonly retryDelays: readonly number[];
  readonly signer: TokenSigner;
  readonly clock: Clock;
  /** The shell command that creates a token, for the landing page. */
  readonly tokenCommand: string;
};

/** The root module of the HTTP interface. Its controllers call the buses of the application layer. */
@Module({ imports: [...OPERATION_MODULES, DescribeModule, HealthModule] })
export class ApiModule {
  /**
   * Returns the module with values that are known only at startup. It is global, because the controllers of
   * every module inject them.
   */
  static on({ application, address, health, topics, retryDelays, signer, clock, tokenCommand }: ApiParts): DynamicModule {
    return {
      module: ApiModule,
      global: true,
      imports: [application],
      providers: [
        { provide: PUBLIC_ADDRESS, useValue: address },
        { provide: READINESS_CHECKS, useValue: health },
        { provide: TOPIC_SETTINGS, useValue: topics },
        { provide: RETRY_DELAYS, useValue: retryDelays },
        { provide: TOKEN_SIGNER, useValue: signer },
        { provide: CLOCK, useValue: clock },
        { provide: TOKEN_COMMAND, useValue: tokenCommand },
      ],
      exports: [PUBLIC_ADDRESS, READINESS_CHECKS, RETRY_DELAYS, TOPIC_SETTINGS, TOKEN_SIGNER, CLOCK, TOKEN_COMMAND],
    };
  }
}
