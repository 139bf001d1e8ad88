import { Kafka, logLevel, type KafkaConfig, type SASLOptions } from 'kafkajs';
import { restWhenIdle } from './idle-connections.js';

/** How the brokers are reached. */
export type KafkaConnection = {
  /** `host:port`, one or more. */
  readonly brokers: readonly string[];
  /** How the brokers' own logs call this process. */
  readonly clientId: string;
  /** TLS, and by which authorities; a plain connection unless given. */
  readonly ssl?: NonNullable<KafkaConfig['ssl']>;
  /** Who this is, and how the password is proved; nobody unless given. */
  readonly login?: {
    readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
    readonly username: string;
    readonly password: string;
  };
  /** Makes the connections; plain or TLS sockets unless given. */
  readonly socketFactory?: NonNullable<KafkaConfig['socketFactory']>;
};

/** Every value is named: kafkajs has others for the same names where NODE_ENV is `test`. */
const RETRY = { initialRetryTime: 20, factor: 0.2, multiplier: 2, maxRetryTime: 1_000, retries: 7 };

restWhenIdle();

/** A client of the brokers. Nothing is connected yet. */
export const connectTo = ({ brokers, clientId, login, ...rest }: KafkaConnection): Kafka =>
  new Kafka({
    ...rest,
    // The three mechanisms take the same.
    ...(login && { sasl: login as SASLOptions }),
    brokers: [...brokers],
    clientId,
    connectionTimeout: 3_000,
    requestTimeout: 10_000,
    retry: RETRY,
    // kafkajs logs as errors what it then mends by itself (a coordinator that is still loading, a group that rebalances).
    // Whatever it cannot mend reaches its caller as a rejection or as a crash, and is said from there, once.
    logLevel: logLevel.NOTHING,
  });
