import { Module, type DynamicModule } from '@nestjs/common';
import type { TokenSigner, TokenVerifier } from '../../libs/ports/access-token.port.js';
import type { ConsoleTerms } from './describe/pages/console/console-page.js';
import type { TopicSettings } from './describe/asyncapi/topics.js';
import { ClassicModule } from './classic/classic.module.js';
import { DescribeModule } from './describe/describe.module.js';
import { HealthModule } from './health/health.module.js';
import type { ReadinessCheck } from './health/readiness.js';
import type { RequestLog } from './http/pipeline/request-log.js';
import type { PublicAddress } from './http/public-address.js';
import { OPERATION_MODULES } from './operations.js';
import type { FailedAttempts } from './sign-in/failed-attempts.js';
import {
  CONSOLE_TERMS,
  FAILED_ATTEMPTS,
  ORDER_HOLD,
  OUTSIDE_ISSUER,
  PUBLIC_ADDRESS,
  READINESS_CHECKS,
  REQUEST_LOG,
  RETRY_DELAYS,
  TOKEN_COMMAND,
  TOKEN_SIGNER,
  TOKEN_VERIFIER,
  TOPIC_SETTINGS,
} from './tokens.js';

type ApiOptions = {
  /** The Nest module that exports the command and query buses of the application layer. */
  readonly application: DynamicModule;
  readonly address: PublicAddress;
  /** The checks of `/health/ready` (contract 25.1). */
  readonly health: readonly ReadinessCheck[];
  readonly topics: TopicSettings;
  /** The delay before each attempt of a delivery, in milliseconds. */
  readonly retryDelays: readonly number[];
  /** How long an unpaid order reserves its pet, in milliseconds. */
  readonly orderHold: number;
  readonly signer: TokenSigner;
  readonly verifier: TokenVerifier;
  /** The outside issuer whose access tokens the service accepts (contract 33.1). Null if users sign in to the service itself. */
  readonly outsideIssuer: string | null;
  readonly consoleTerms: ConsoleTerms;
  /** The limit of failed attempts to sign in. */
  readonly failedAttempts: FailedAttempts;
  readonly requestLog: RequestLog;
  /** The shell command that creates an access token. The landing page shows it. Null if no command can create a token. */
  readonly tokenCommand: string | null;
};

/** The root module of the HTTP interface. The controllers of its imported modules call the buses of the application layer. */
@Module({ imports: [...OPERATION_MODULES, ClassicModule, DescribeModule, HealthModule] })
export class ApiModule {
  /**
   * Returns this module with providers whose values are known only at startup. The module is global, because controllers
   * in all other modules inject these providers.
   */
  static on(dependencies: ApiOptions): DynamicModule {
    const providers = [
      { provide: PUBLIC_ADDRESS, useValue: dependencies.address },
      { provide: READINESS_CHECKS, useValue: dependencies.health },
      { provide: TOPIC_SETTINGS, useValue: dependencies.topics },
      { provide: RETRY_DELAYS, useValue: dependencies.retryDelays },
      { provide: ORDER_HOLD, useValue: dependencies.orderHold },
      { provide: TOKEN_SIGNER, useValue: dependencies.signer },
      { provide: TOKEN_VERIFIER, useValue: dependencies.verifier },
      { provide: OUTSIDE_ISSUER, useValue: dependencies.outsideIssuer },
      { provide: CONSOLE_TERMS, useValue: dependencies.consoleTerms },
      { provide: FAILED_ATTEMPTS, useValue: dependencies.failedAttempts },
      { provide: REQUEST_LOG, useValue: dependencies.requestLog },
      { provide: TOKEN_COMMAND, useValue: dependencies.tokenCommand },
    ];
    return {
      module: ApiModule,
      global: true,
      imports: [dependencies.application],
      providers,
      exports: providers.map(({ provide }) => provide),
    };
  }
}
