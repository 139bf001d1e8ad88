import { Kafka, logLevel, type KafkaConfig, type SASLOptions } from 'kafkajs';
import { stopIdlePolling } from './idle-connections.js';
import { shareConnects } from './shared-connects.js';

/** Connection options for the brokers. */
export type KafkaConnection = {
  /** The addresses of one or more brokers, `host:port`. */
  readonly brokers: readonly string[];
  /** The name of this process in the brokers' logs. */
  readonly clientId: string;
  /** Separates the store from others at the same brokers (contract 24.10). Default: none. */
  readonly namespace?: string;
  /** TLS options with the trusted authorities. Default: a plain connection. */
  readonly ssl?: NonNullable<KafkaConfig['ssl']>;
  /** SASL credentials. Default: none. */
  readonly login?: {
    readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
    readonly username: string;
    readonly password: string;
  };
  /** Creates the sockets. Default: plain or TLS sockets. */
  readonly socketFactory?: NonNullable<KafkaConfig['socketFactory']>;
};

/** Retries of requests; times in milliseconds. All values are set, because kafkajs has other defaults when NODE_ENV is `test`. */
const RETRY = { initialRetryTime: 20, factor: 0.2, multiplier: 2, maxRetryTime: 1_000, retries: 7 };

/**
 * Milliseconds after which clients read again which partitions topics have. A consumer must find new partitions within 10 s
 * (contract 22.7). The default of kafkajs is 5 minutes.
 */
export const METADATA_AGE = 5_000;

stopIdlePolling();
shareConnects();

/** Creates a client of the brokers without connecting. */
export const connectTo = ({ brokers, clientId, login, ssl, socketFactory }: KafkaConnection): Kafka =>
  new Kafka({
    ...(ssl !== undefined && { ssl }),
    ...(socketFactory && { socketFactory }),
    // The cast is safe: all three mechanisms have the same options.
    ...(login && { sasl: login as SASLOptions }),
    brokers: [...brokers],
    clientId,
    connectionTimeout: 3_000,
    requestTimeout: 10_000,
    retry: RETRY,
    // kafkajs would also log errors after which it retries, such as those during a rebalance. Errors after which it gives up
    // reach the caller, which logs them once.
    logLevel: logLevel.NOTHING,
  });
