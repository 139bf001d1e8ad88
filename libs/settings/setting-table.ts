import { brokersForm, eventStoreForm, hostForm, mongoForm, originsForm, publicUrlForm, rangesForm } from './address-values.js';
import { ADVISOR } from './advisor-settings.js';
import { AUDIT } from './audit-settings.js';
import { OUTSIDE_ISSUER } from './issuer-settings.js';
import { OUTGOING } from './outgoing-settings.js';
import { TRACING } from './tracing-settings.js';
import {
  choiceOf,
  delayForm,
  durationForm,
  folderForm,
  keyForm,
  lineForm,
  namespaceForm,
  onOffForm,
  passwordForm,
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
  /** The default as text in the setting's form. Null if there is no default, or if other settings determine it. */
  readonly default: string | null;
  /** Describes a default that other settings determine. If absent, a null default is documented as "none". */
  readonly followsFrom?: string;
  readonly meaning: string;
  /** Set if the value may contain a password or a key. No message shows such a value. */
  readonly isSecret?: true;
};

type Section = Readonly<Record<string, Setting>>;

const ADDRESSES = {
  port: { name: 'PORT', form: portForm, default: '3000', meaning: 'TCP port to listen on; 0 selects a free port' },
  host: {
    name: 'HOST',
    form: hostForm,
    default: '127.0.0.1',
    meaning: 'Address to listen on; if it is not loopback, ACCESS_POLICY must be set',
  },
  publicUrl: {
    name: 'PUBLIC_URL',
    form: publicUrlForm,
    default: null,
    followsFrom: 'the listening address',
    meaning: 'Prefix of every absolute URL in responses; required in production',
  },
  trustedProxies: { name: 'TRUSTED_PROXIES', form: rangesForm, default: '', meaning: 'Proxies whose X-Forwarded-* headers are trusted' },
  corsOrigins: { name: 'CORS_ORIGINS', form: originsForm, default: '', meaning: 'Origins whose pages may call the interface' },
} as const satisfies Section;

const ACCESS = {
  accessPolicy: {
    name: 'ACCESS_POLICY',
    form: choiceOf('documented', 'strict'),
    default: 'documented',
    meaning: '`documented`: a token is required where the OpenAPI document says so; `strict`: also for orders, payments and adoptions',
  },
  rateLimit: {
    name: 'RATE_LIMIT',
    form: rateLimitForm,
    default: '600/60s',
    meaning: 'How many requests each user may send; requests without a token are counted by network address. `off`: no limit',
  },
  adminPassword: {
    name: 'ADMIN_PASSWORD',
    form: passwordForm,
    default: null,
    meaning: 'Password of the first staff account `admin`, which the first start creates; ignored once the account exists',
    isSecret: true,
  },
  classicImplicitFlow: {
    name: 'CLASSIC_IMPLICIT_FLOW',
    form: onOffForm,
    default: 'off',
    meaning: '`on`: `/oauth/implicit` sends access tokens in redirect URLs to clients registered for this flow; see docs/security.md',
  },
  securityLogRetentionMilliseconds: {
    name: 'SECURITY_LOG_RETENTION',
    form: durationForm,
    default: '400d',
    meaning: 'How long security events show who caused them',
  },
} as const satisfies Section;

const PROCESS = {
  dataDir: { name: 'DATA_DIR', form: folderForm, default: '.data', meaning: 'Folder for all data; `:memory:` stores nothing on disk' },
  orderHoldMilliseconds: { name: 'ORDER_HOLD', form: durationForm, default: '24h', meaning: 'How long an unpaid order reserves its pet' },
  adoptionHoldMilliseconds: {
    name: 'ADOPTION_HOLD',
    form: durationForm,
    default: '14d',
    meaning: 'How long an undecided adoption application holds its pet',
  },
  stopWaitMilliseconds: {
    name: 'STOP_WAIT',
    form: delayForm,
    default: '25s',
    meaning: 'How long a stopping process waits for active connections before it closes them',
  },
  metricsPort: {
    name: 'METRICS_PORT',
    form: portForm,
    default: null,
    meaning: 'TCP port on which Prometheus reads `/metrics`; 0 selects a free port. Without METRICS_PORT nothing is measured',
  },
  metricsHost: {
    name: 'METRICS_HOST',
    form: hostForm,
    default: '127.0.0.1',
    meaning: 'Address on which METRICS_PORT listens; anyone who can reach it can read the metrics without a token',
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
    meaning: '`production`: ACCESS_POLICY and PUBLIC_URL must be set; startup fails on settings that could lose writes or expose keys',
  },
} as const satisfies Section;

const SERVERS = {
  eventStoreUrl: {
    name: 'EVENTSTOREDB_URL',
    form: eventStoreForm,
    default: null,
    meaning: 'EventStoreDB, which stores the log; set all of EVENTSTOREDB_URL, MONGODB_URL and KAFKA_BROKERS, or none',
    isSecret: true,
  },
  mongoUrl: {
    name: 'MONGODB_URL',
    form: mongoForm,
    default: null,
    meaning: 'Replica set for read models and keys. Database: the name in the URL, or `petstore`, plus `_` and NAMESPACE if that is set',
    isSecret: true,
  },
  // The two URLs may contain a password. KAFKA_BROKERS is secret, too, because an operator may add a password by mistake.
  kafkaBrokers: { name: 'KAFKA_BROKERS', form: brokersForm, default: null, meaning: 'Brokers that store the topics', isSecret: true },
  namespace: {
    name: 'NAMESPACE',
    form: namespaceForm,
    default: '',
    meaning: 'Separates stores on the same servers; set another namespace for each store, and never change it',
  },
  kafkaReplication: {
    name: 'KAFKA_REPLICATION',
    form: replicationForm,
    default: '1',
    meaning: 'Replicas of each topic; at least 3 in production, so that two brokers store each message while a third is down',
  },
  kafkaTls: {
    name: 'KAFKA_TLS',
    form: onOffForm,
    default: 'off',
    meaning: '`on`: connections to the brokers use TLS; NODE_EXTRA_CA_CERTS adds your own certificate authority',
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
    meaning: 'SASL mechanism for the brokers; in production, `plain` requires `KAFKA_TLS=on` if a password is set',
  },
  keyEncryptionKey: {
    name: 'KEY_ENCRYPTION_KEY',
    form: keyForm,
    default: null,
    meaning: 'Encrypts the keys in MongoDB; required in production',
    isSecret: true,
  },
  previousKeyEncryptionKey: {
    name: 'KEY_ENCRYPTION_KEY_PREVIOUS',
    form: keyForm,
    default: null,
    meaning: 'The former KEY_ENCRYPTION_KEY; set it only while `keys reencrypt` replaces that key',
    isSecret: true,
  },
  writeWaitMilliseconds: {
    name: 'WRITE_WAIT',
    form: waitForm,
    default: '500ms',
    meaning: 'The longest time that a write waits until the read model shows it; `off`: writes do not wait',
  },
  workerPort: {
    name: 'WORKER_PORT',
    form: portForm,
    default: '3001',
    meaning: 'TCP port on which a worker answers /health; 0 selects a free port',
  },
} as const satisfies Section;

/** Every setting, by its property in `Values`. */
export const SETTINGS = {
  ...ADDRESSES,
  ...ACCESS,
  ...OUTSIDE_ISSUER,
  ...PROCESS,
  ...TRACING,
  ...AUDIT,
  ...ADVISOR,
  ...OUTGOING,
  ...SERVERS,
};

/** The settings by section of the documentation. */
export const SECTIONS: Readonly<Record<string, Section>> = {
  Addresses: ADDRESSES,
  Access: ACCESS,
  'Tokens of an outside issuer': OUTSIDE_ISSUER,
  'Process and data': PROCESS,
  Traces: TRACING,
  Audit: AUDIT,
  'Language model of the chat': ADVISOR,
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
