import { brokersForm, eventStoreForm, hostForm, mongoForm, originsForm, proxyForm, publicUrlForm, rangesForm } from './address-values.js';
import {
  choiceOf,
  delayForm,
  delaysForm,
  durationForm,
  folderForm,
  keyForm,
  lineForm,
  onOffForm,
  portForm,
  rateLimitForm,
  replicationForm,
  waitForm,
  type Form,
} from './setting-values.js';

/** An environment variable: how it is read, and what is said of it. */
export type Setting = {
  readonly name: string;
  readonly form: Form<unknown>;
  /** As an operator would write it. Null: there is none, or it follows from other settings. */
  readonly default: string | null;
  /** What the documentation shows for a default of null, unless that is "none". */
  readonly followsFrom?: string;
  readonly meaning: string;
  /** It is, or may hold, a password or a key: no message shows its value. */
  readonly isSecret?: true;
};

type Section = Readonly<Record<string, Setting>>;

const ADDRESSES = {
  port: { name: 'PORT', form: portForm, default: '3000', meaning: 'TCP port to listen on; 0 takes a free one' },
  host: { name: 'HOST', form: hostForm, default: '127.0.0.1', meaning: 'Address to listen on; one beyond loopback needs ACCESS_POLICY' },
  publicUrl: {
    name: 'PUBLIC_URL',
    form: publicUrlForm,
    default: null,
    followsFrom: 'the listening address',
    meaning: 'Start of every absolute URL in answers; required in production',
  },
  trustedProxies: { name: 'TRUSTED_PROXIES', form: rangesForm, default: '', meaning: 'Proxies whose X-Forwarded-* headers are trusted' },
  corsOrigins: { name: 'CORS_ORIGINS', form: originsForm, default: '', meaning: 'Origins whose pages may call the interface' },
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
    meaning: 'Requests per time for each token subject, else address; `off` for no limit',
  },
} as const satisfies Section;

const PROCESS = {
  dataDir: { name: 'DATA_DIR', form: folderForm, default: '.data', meaning: 'Folder that holds all data; `:memory:` keeps nothing' },
  orderHoldMilliseconds: { name: 'ORDER_HOLD', form: durationForm, default: '24h', meaning: 'How long an unpaid order keeps its pet' },
  stopWaitMilliseconds: {
    name: 'STOP_WAIT',
    form: delayForm,
    default: '25s',
    meaning: 'How long a stop waits for busy connections before it closes them',
  },
  logLevel: {
    name: 'LOG_LEVEL',
    form: choiceOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    default: 'info',
    meaning: 'The least severe log lines that are written',
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
    meaning: 'The times before each attempt at a delivery; there are as many attempts',
  },
  egressAllow: {
    name: 'EGRESS_ALLOW',
    form: choiceOf('loopback', 'none'),
    default: null,
    followsFrom: '`loopback` on a loopback HOST outside production, else `none`',
    meaning: "`loopback`: webhooks and callbacks may go to this machine's own addresses; `none`: only to the public Internet",
  },
  egressProxy: {
    name: 'EGRESS_PROXY',
    form: proxyForm,
    default: null,
    meaning: 'Proxy that webhooks and callbacks go through',
    isSecret: true,
  },
} as const satisfies Section;

const SERVERS = {
  eventStoreUrl: {
    name: 'EVENTSTOREDB_URL',
    form: eventStoreForm,
    default: null,
    meaning: 'The log; set this, MONGODB_URL and KAFKA_BROKERS, or none of the three',
    isSecret: true,
  },
  mongoUrl: {
    name: 'MONGODB_URL',
    form: mongoForm,
    default: null,
    meaning: 'Read models and keys, a replica set; in the database it names, else in `petstore`',
    isSecret: true,
  },
  // Somebody will write a password here, since the other servers' addresses have one.
  kafkaBrokers: {
    name: 'KAFKA_BROKERS',
    form: brokersForm,
    default: null,
    meaning: 'The topics; one Kafka serves one store',
    isSecret: true,
  },
  kafkaReplication: {
    name: 'KAFKA_REPLICATION',
    form: replicationForm,
    default: '1',
    meaning: 'How many brokers keep each topic; production needs at least 3, so that two have every message while one is down',
  },
  kafkaTls: {
    name: 'KAFKA_TLS',
    form: onOffForm,
    default: 'off',
    meaning: '`on`: TLS to the brokers; NODE_EXTRA_CA_CERTS names an authority of your own, as for all of Node',
  },
  kafkaUsername: { name: 'KAFKA_USERNAME', form: lineForm, default: null, meaning: 'User name for the brokers; with KAFKA_PASSWORD' },
  kafkaPassword: {
    name: 'KAFKA_PASSWORD',
    form: lineForm,
    default: null,
    meaning: 'The password that goes with KAFKA_USERNAME',
    isSecret: true,
  },
  kafkaSaslMechanism: {
    name: 'KAFKA_SASL_MECHANISM',
    form: choiceOf('scram-sha-512', 'scram-sha-256', 'plain'),
    default: 'scram-sha-512',
    meaning: 'How the password is proved; `plain` needs KAFKA_TLS in production',
  },
  keyEncryptionKey: {
    name: 'KEY_ENCRYPTION_KEY',
    form: keyForm,
    default: null,
    meaning: 'Wraps the keys in MongoDB; required in production',
    isSecret: true,
  },
  writeWaitMilliseconds: {
    name: 'WRITE_WAIT',
    form: waitForm,
    default: '500ms',
    meaning: 'How long a write waits at most until it can be read; `off` for not at all',
  },
  workerPort: { name: 'WORKER_PORT', form: portForm, default: '3001', meaning: "The worker's port for /health; 0 takes a free one" },
} as const satisfies Section;

/** Every setting, by its property in `Settings`. */
export const SETTINGS = { ...ADDRESSES, ...ACCESS, ...PROCESS, ...OUTGOING, ...SERVERS };

/** The table as the documentation shows it. */
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

/** What each setting says; undefined where it is not set and has no default. */
export type Values = {
  readonly [Key in keyof Table]: Value<Table[Key]['form']> | (Table[Key]['default'] extends null ? undefined : never);
};
type Value<F> = F extends Form<infer T> ? T : never;
