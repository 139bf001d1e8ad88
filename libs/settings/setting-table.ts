import { brokersForm, eventStoreForm, hostForm, mongoForm, originsForm, proxyForm, publicUrlForm, rangesForm } from './address-values.js';
import {
  choiceOf,
  delayForm,
  delaysForm,
  durationForm,
  folderForm,
  keyForm,
  lineForm,
  namespaceForm,
  onOffForm,
  portForm,
  rateLimitForm,
  replicationForm,
  waitForm,
  type Form,
} from './setting-values.js';

/** An environment variable with its form, its default and its documentation. */
export type Setting = {
  readonly name: string;
  readonly form: Form<unknown>;
  /** The default in the setting's form; null for none or for one derived from other settings. */
  readonly default: string | null;
  /**
   * Describes a default that is derived from other settings. Without it, a null default is documented as
   * "none".
   */
  readonly followsFrom?: string;
  readonly meaning: string;
  /** The value is or may contain a password or a key, so no message shows it. */
  readonly isSecret?: true;
};

type Section = Readonly<Record<string, Setting>>;

const ADDRESSES = {
  port: { name: 'PORT', form: portForm, default: '3000', meaning: 'TCP port to listen on; 0 selects a free one' },
  host: { name: 'HOST', form: hostForm, default: '127.0.0.1', meaning: 'Address to listen on; one beyond loopback needs ACCESS_POLICY' },
  publicUrl: {
    name: 'PUBLIC_URL',
    form: publicUrlForm,
    default: null,
    followsFrom: 'the listening address',
    meaning: 'Prefix of every absolute URL in responses; required in production',
  },
  trustedProxies: { name: 'TRUSTED_PROXIES', form: rangesForm, default: '', meaning: 'Proxies with trusted X-Forwarded-* headers' },
  corsOrigins: { name: 'CORS_ORIGINS', form: originsForm, default: '', meaning: 'Origins that browsers may call the interface from' },
} as const satisfies Section;

const ACCESS = {
  accessPolicy: {
    name: 'ACCESS_POLICY',
    form: choiceOf('documented', 'strict'),
    default: 'documented',
    meaning: '`documented`: the credentials that the interface declares; `strict`: orders and payments need a token too',
  },
  rateLimit: {
    name: 'RATE_LIMIT',
    form: rateLimitForm,
    default: '600/60s',
    meaning: 'Requests per time for each token subject, or for each address without a token; `off` for no limit',
  },
} as const satisfies Section;

const PROCESS = {
  dataDir: { name: 'DATA_DIR', form: folderForm, default: '.data', meaning: 'Folder for all data; `:memory:` stores nothing on disk' },
  orderHoldMilliseconds: { name: 'ORDER_HOLD', form: durationForm, default: '24h', meaning: 'How long an unpaid order reserves its pet' },
  stopWaitMilliseconds: {
    name: 'STOP_WAIT',
    form: delayForm,
    default: '25s',
    meaning: 'How long a stopping process waits for active connections before it closes them',
  },
  logLevel: {
    name: 'LOG_LEVEL',
    form: choiceOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    default: 'info',
    meaning: 'The lowest severity of logged lines',
  },
  nodeEnv: {
    name: 'NODE_ENV',
    form: choiceOf('development', 'test', 'production'),
    default: 'development',
    meaning: '`production` requires ACCESS_POLICY and PUBLIC_URL, and rejects settings that are unsafe there',
  },
} as const satisfies Section;

const OUTGOING = {
  webhookRetryDelays: {
    name: 'WEBHOOK_RETRY_DELAYS',
    form: delaysForm,
    default: '0s,5s,5m,30m,2h,5h,10h,14h,20h,24h',
    meaning: 'The delay before each attempt of a delivery; their number is the number of attempts',
  },
  egressAllow: {
    name: 'EGRESS_ALLOW',
    form: choiceOf('loopback', 'none'),
    default: null,
    followsFrom: '`loopback` on a loopback HOST outside production, else `none`',
    meaning: '`loopback`: webhooks and callbacks may also target loopback addresses; `none`: only the public Internet',
  },
  egressProxy: {
    name: 'EGRESS_PROXY',
    form: proxyForm,
    default: null,
    meaning: 'Proxy for webhooks and callbacks',
    isSecret: true,
  },
} as const satisfies Section;

const SERVERS = {
  eventStoreUrl: {
    name: 'EVENTSTOREDB_URL',
    form: eventStoreForm,
    default: null,
    meaning: 'The log; set EVENTSTOREDB_URL, MONGODB_URL and KAFKA_BROKERS, or none of the three',
    isSecret: true,
  },
  mongoUrl: {
    name: 'MONGODB_URL',
    form: mongoForm,
    default: null,
    meaning:
      'Replica set for read models and keys; the database is `petstore` unless the address names one, and NAMESPACE is added to its name',
    isSecret: true,
  },
  // The brokers are secret, because an operator may add a password by mistake, as in the other addresses.
  kafkaBrokers: {
    name: 'KAFKA_BROKERS',
    form: brokersForm,
    default: null,
    meaning: 'The topics',
    isSecret: true,
  },
  namespace: {
    name: 'NAMESPACE',
    form: namespaceForm,
    default: '',
    meaning: 'Keeps several stores apart that share servers; each has its own, and it never changes',
  },
  kafkaReplication: {
    name: 'KAFKA_REPLICATION',
    form: replicationForm,
    default: '1',
    meaning: 'Replicas of each topic; production needs at least 3, so that two brokers have every message while one is down',
  },
  kafkaTls: {
    name: 'KAFKA_TLS',
    form: onOffForm,
    default: 'off',
    meaning: '`on`: TLS to the brokers; NODE_EXTRA_CA_CERTS adds your own certificate authority',
  },
  kafkaUsername: { name: 'KAFKA_USERNAME', form: lineForm, default: null, meaning: 'User name for the brokers; requires KAFKA_PASSWORD' },
  kafkaPassword: {
    name: 'KAFKA_PASSWORD',
    form: lineForm,
    default: null,
    meaning: 'Password of KAFKA_USERNAME',
    isSecret: true,
  },
  kafkaSaslMechanism: {
    name: 'KAFKA_SASL_MECHANISM',
    form: choiceOf('scram-sha-512', 'scram-sha-256', 'plain'),
    default: 'scram-sha-512',
    meaning: 'SASL mechanism for the brokers; `plain` needs KAFKA_TLS in production',
  },
  keyEncryptionKey: {
    name: 'KEY_ENCRYPTION_KEY',
    form: keyForm,
    default: null,
    meaning: 'Encrypts the keys in MongoDB; required in production',
    isSecret: true,
  },
  writeWaitMilliseconds: {
    name: 'WRITE_WAIT',
    form: waitForm,
    default: '500ms',
    meaning: 'How long a write waits at most until the read model shows it; `off` for no wait',
  },
  workerPort: { name: 'WORKER_PORT', form: portForm, default: '3001', meaning: "The worker's port for /health; 0 selects a free one" },
} as const satisfies Section;

/** Every setting, by its property in `Settings`. */
export const SETTINGS = { ...ADDRESSES, ...ACCESS, ...PROCESS, ...OUTGOING, ...SERVERS };

/** The settings by section of the documentation. */
export const SECTIONS: Readonly<Record<string, Section>> = {
  Addresses: ADDRESSES,
  Access: ACCESS,
  'Process and data': PROCESS,
  'Webhooks and callbacks': OUTGOING,
  'Several machines': SERVERS,
};

type Table = typeof SETTINGS;

/** The name of an environment variable that is a setting. */
export type SettingName = Table[keyof Table]['name'];

/** The value of each setting; undefined when it is not set and has no default. */
export type Values = {
  readonly [Key in keyof Table]: Value<Table[Key]['form']> | (Table[Key]['default'] extends null ? undefined : never);
};
type Value<F> = F extends Form<infer T> ? T : never;
