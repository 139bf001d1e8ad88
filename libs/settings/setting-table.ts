import {
  publicUrlForm,
  issuerForm,
  proxyForm,
  brokersForm,
  eventStoreForm,
  hostForm,
  mongoForm,
  originsForm,
  rangesForm,
} from './address-values.js';
import {
  lineForm,
  modelsForm,
  durationForm,
  fileForm,
  claimForm,
  choiceOf,
  delaysForm,
  delayForm,
  folderForm,
  keyForm,
  namespaceForm,
  onOffForm,
  passwordForm,
  portForm,
  rateLimitForm,
  replicationForm,
  waitForm,
  type Form,
} from './setting-values.js';
import { TRACING } from './tracing-settings.js';

/** The settings of a language model that answers chats (contract 41.10). */
export const ADVISOR = {
  advisorBaseUrl: {
    name: 'ADVISOR_BASE_URL',
    form: publicUrlForm,
    default: null,
    meaning: 'URL of an OpenAI-compatible model that answers chats; ADVISOR_MODELS must be set too. If unset, the built-in advisor answers',
  },
  advisorApiKey: {
    name: 'ADVISOR_API_KEY',
    form: lineForm,
    default: null,
    meaning: 'The API key for ADVISOR_BASE_URL',
    isSecret: true,
  },
  advisorModels: {
    name: 'ADVISOR_MODELS',
    form: modelsForm,
    default: null,
    meaning: 'For each model that chats can name: the name of the model at ADVISOR_BASE_URL that answers',
  },
} as const;

/** The settings of checkpoints and audits (contract 35.1, 35.3, 35.9). */
export const AUDIT = {
  checkpointEveryMilliseconds: {
    name: 'CHECKPOINT_EVERY',
    form: durationForm,
    default: '10m',
    meaning: 'The longest time from an event to the signed checkpoint that covers it',
  },
  auditEveryMilliseconds: {
    name: 'AUDIT_EVERY',
    form: durationForm,
    default: '24h',
    meaning: 'How often the service verifies the whole log',
  },
  signingKeyFile: {
    name: 'SIGNING_KEY_FILE',
    form: fileForm,
    default: null,
    followsFrom: 'a generated key, stored with the other keys of the service',
    meaning: 'PEM file with Ed25519 private keys for checkpoints; the first key signs, the other keys only verify',
  },
} as const;

/** The settings of an outside issuer (contract 33.1). */
export const OUTSIDE_ISSUER = {
  oidcIssuer: {
    name: 'OIDC_ISSUER',
    form: issuerForm,
    default: null,
    meaning: 'OpenID Connect issuer whose access tokens are accepted. If set, sign-in at this service is off; set OIDC_AUDIENCE too',
  },
  oidcAudience: {
    name: 'OIDC_AUDIENCE',
    form: lineForm,
    default: null,
    meaning: "This service's name in the claim `aud` of access tokens. Never use a client id: ID tokens for this client would be accepted",
  },
  oidcJwksUrl: {
    name: 'OIDC_JWKS_URL',
    form: issuerForm,
    default: null,
    meaning: "The address of the issuer's public keys, if it is on another host. By default, the issuer's discovery document names it",
  },
  oidcScopeClaim: {
    name: 'OIDC_SCOPE_CLAIM',
    form: claimForm,
    default: 'scope',
    meaning: "The claim of the issuer's tokens that contains the scopes: a text with spaces between scopes, or a list of texts",
  },
  oidcTenantClaim: {
    name: 'OIDC_TENANT_CLAIM',
    form: claimForm,
    default: 'tenant',
    meaning: "The claim of the issuer's tokens that contains the tenant id, a UUID; a token without this claim is not bound to a tenant",
  },
  consoleClientId: {
    name: 'CONSOLE_CLIENT_ID',
    form: lineForm,
    default: null,
    meaning: "The console's client at the issuer: public, code flow with PKCE, redirect URI `/ops/signed-in` below PUBLIC_URL",
  },
} as const;

/** The settings of webhooks and callbacks. */
export const OUTGOING = {
  webhookRetryDelays: {
    name: 'WEBHOOK_RETRY_DELAYS',
    form: delaysForm,
    default: '0s,5s,5m,30m,2h,5h,10h,14h,20h,24h',
    meaning: 'The delay before each attempt of a delivery. A delivery has as many attempts as there are delays',
  },
  deliveryRetentionMilliseconds: {
    name: 'DELIVERY_RETENTION',
    form: durationForm,
    default: '90d',
    meaning: 'How long a delivery is stored after it succeeded; other deliveries are not deleted',
  },
  egressAllow: {
    name: 'EGRESS_ALLOW',
    form: choiceOf('loopback', 'none'),
    default: null,
    followsFrom: '`loopback` if HOST is loopback and NODE_ENV is not `production`, else `none`',
    meaning: '`loopback`: webhooks and callbacks may also target loopback addresses; `none`: only addresses on the public Internet',
  },
  egressProxy: {
    name: 'EGRESS_PROXY',
    form: proxyForm,
    default: null,
    meaning: 'Proxy for webhooks and callbacks',
    isSecret: true,
  },
} as const;

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
