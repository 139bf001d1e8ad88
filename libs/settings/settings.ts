import {
  addressRangeFrom,
  brokerFrom,
  delayFrom,
  durationFrom,
  eventStoreUrlFrom,
  folderFrom,
  hostFrom,
  isUnreadable,
  listOf,
  mongoUrlFrom,
  oneOf,
  originFrom,
  portFrom,
  proxyFrom,
  publicUrlFrom,
  rateLimitFrom,
  replicationFrom,
  textFrom,
  waitFrom,
  wrappingKeyFrom,
  type Parse,
  type RateLimit,
} from './setting-values.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** "delays before the attempts: 0, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h", in milliseconds. */
export const RETRY_DELAYS = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;

/** Environment variables by name, as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

export type AccessPolicy = 'documented' | 'strict';
type LogLevel = (typeof LOG_LEVELS)[number];

/** What the operator decided, checked: read once, at start. */
export type Settings = {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  /** Without a trailing slash; absent when it follows from the listening address. */
  readonly publicUrl?: string;
  /** Addresses and CIDRs whose X-Forwarded-* headers are believed. */
  readonly trustedProxies: readonly string[];
  readonly rateLimit: RateLimit | 'off';
  readonly accessPolicy: AccessPolicy;
  readonly orderHoldMilliseconds: number;
  /** How long a stop waits for connections that are busy. */
  readonly stopWaitMilliseconds: number;
  readonly corsOrigins: readonly string[];
  readonly logLevel: LogLevel;
  readonly nodeEnv: (typeof NODE_ENVS)[number];
  /** The servers of the distributed profile; absent in the embedded one. */
  readonly servers?: Servers;
  /** 32 bytes that the keys in MongoDB are wrapped with. */
  readonly keyEncryptionKey?: Uint8Array;
  readonly writeWaitMilliseconds: number;
  /** Before each attempt at a delivery. */
  readonly webhookRetryDelays: readonly number[];
  readonly workerPort: number;
  /** Whether callers may have requests sent to this machine's own addresses. */
  readonly egressAllow: (typeof EGRESS_ALLOWANCES)[number];
  /** `http://user:password@host:port`: what leads to the addresses that callers gave. */
  readonly egressProxy?: string;
};

/** Where the distributed profile keeps things. */
export type Servers = {
  readonly eventStoreUrl: string;
  readonly mongoUrl: string;
  readonly kafkaBrokers: readonly string[];
  /** How many brokers keep each topic. */
  readonly kafkaReplication: number;
  readonly kafkaTls: boolean;
  readonly kafkaLogin?: KafkaLogin;
};

/** Who the brokers are told this is. */
type KafkaLogin = { readonly mechanism: (typeof SASL_MECHANISMS)[number]; readonly username: string; readonly password: string };

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const NODE_ENVS = ['development', 'test', 'production'] as const;
const ACCESS_POLICIES = ['documented', 'strict'] as const;
const SASL_MECHANISMS = ['scram-sha-512', 'scram-sha-256', 'plain'] as const;
const EGRESS_ALLOWANCES = ['loopback', 'none'] as const;

/** A setting as the README shows it. */
type SettingDescription = { readonly name: string; readonly default: string; readonly meaning: string };

/** Every setting there is. */
export const SETTINGS = [
  { name: 'PORT', default: '3000', meaning: 'TCP port to listen on; 0 takes a free one' },
  { name: 'HOST', default: '127.0.0.1', meaning: 'Address to listen on; one beyond loopback needs ACCESS_POLICY' },
  { name: 'DATA_DIR', default: '.data', meaning: 'Folder that holds everything; `:memory:` keeps nothing' },
  { name: 'PUBLIC_URL', default: 'the listening address', meaning: 'Start of every absolute URL handed out; required in production' },
  { name: 'TRUSTED_PROXIES', default: 'none', meaning: 'Addresses or CIDRs, comma-separated, whose X-Forwarded-* headers are believed' },
  { name: 'RATE_LIMIT', default: '600/60s', meaning: 'Requests per time for each token subject, else address; `off` for none' },
  {
    name: 'ACCESS_POLICY',
    default: 'documented',
    meaning: '`documented`: the credentials the interface declares; `strict`: orders and payments need a token too',
  },
  { name: 'ORDER_HOLD', default: '24h', meaning: 'How long an unpaid order keeps its pet, as `30s`, `15m`, `24h` or `7d`' },
  { name: 'STOP_WAIT', default: '25s', meaning: 'How long a stop waits for connections that are busy, before it closes them' },
  { name: 'CORS_ORIGINS', default: 'none', meaning: 'Origins, comma-separated, whose pages may call the interface' },
  { name: 'LOG_LEVEL', default: 'info', meaning: `One of ${LOG_LEVELS.join(', ')}` },
  { name: 'NODE_ENV', default: 'development', meaning: `One of ${NODE_ENVS.join(', ')}` },
  { name: 'EVENTSTOREDB_URL', default: 'none', meaning: 'Several machines: the log, as `esdb://host:2113`; set all three or none' },
  {
    name: 'MONGODB_URL',
    default: 'none',
    meaning:
      'Several machines: read models and keys, a replica set, as `mongodb://host/petstore?replicaSet=rs0`; in the database it names, else in `petstore`',
  },
  { name: 'KAFKA_BROKERS', default: 'none', meaning: 'Several machines: the topics, as `host:9092,host:9092`; one Kafka serves one store' },
  {
    name: 'KAFKA_REPLICATION',
    default: '1',
    meaning: 'How many brokers keep each topic; production needs at least 3, so that two have every message while one is down',
  },
  {
    name: 'KAFKA_TLS',
    default: 'off',
    meaning: '`on`: the brokers are reached over TLS; an authority of your own is named by NODE_EXTRA_CA_CERTS, as for all of Node',
  },
  { name: 'KAFKA_USERNAME', default: 'none', meaning: 'Who the brokers are told this is; with KAFKA_PASSWORD' },
  { name: 'KAFKA_PASSWORD', default: 'none', meaning: 'The password that goes with KAFKA_USERNAME' },
  {
    name: 'KAFKA_SASL_MECHANISM',
    default: SASL_MECHANISMS[0],
    meaning: `How the password is proved: one of ${SASL_MECHANISMS.join(', ')}`,
  },
  {
    name: 'KEY_ENCRYPTION_KEY',
    default: 'none',
    meaning: '32 bytes in base64 that keys in MongoDB are wrapped with; required in production',
  },
  {
    name: 'WRITE_WAIT',
    default: '500ms',
    meaning: 'Several machines: how long a write waits until it can be read, at most; `off` for not at all',
  },
  {
    name: 'WEBHOOK_RETRY_DELAYS',
    default: '0s,5s,5m,30m,2h,5h,10h,14h,20h,24h',
    meaning: 'The times before each attempt at a delivery, comma-separated; there are as many attempts',
  },
  { name: 'WORKER_PORT', default: '3001', meaning: "The worker's port for /health; 0 takes a free one" },
  {
    name: 'EGRESS_ALLOW',
    default: '`loopback` on a loopback HOST outside production',
    meaning: "`loopback`: webhooks and callbacks may go to this machine's own addresses; `none`: to the public Internet alone",
  },
  { name: 'EGRESS_PROXY', default: 'none', meaning: 'Proxy that leads webhooks and callbacks out, as `http://user:password@host:3128`' },
] as const satisfies readonly SettingDescription[];

type SettingName = (typeof SETTINGS)[number]['name'];

/** The start is refused; the message names every setting at fault, why, and what to do. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  constructor(readonly problems: readonly string[]) {
    super(`The settings do not allow a start:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}

/** Where the distributed profile's servers are. */
const DISTRIBUTED = ['EVENTSTOREDB_URL', 'MONGODB_URL', 'KAFKA_BROKERS'] as const;

/** Reads the settings; throws a SettingsError that lists every problem with its remedy. An empty variable counts as absent. */
export const parseSettings = (env: Environment): Settings => {
  const problems: string[] = [];
  const read = readerOf(env, problems);
  const publicUrl = read('PUBLIC_URL', publicUrlFrom, undefined);
  const servers = serversFrom(read);
  const keyEncryptionKey = read('KEY_ENCRYPTION_KEY', wrappingKeyFrom, undefined);
  const host = read('HOST', hostFrom, '127.0.0.1');
  const nodeEnv = read('NODE_ENV', oneOf(NODE_ENVS), 'development');
  const egressProxy = read('EGRESS_PROXY', proxyFrom, undefined);
  const settings: Settings = {
    port: read('PORT', portFrom, 3000),
    host,
    dataDir: read('DATA_DIR', folderFrom, '.data'),
    ...(publicUrl !== undefined && { publicUrl }),
    trustedProxies: read('TRUSTED_PROXIES', listOf(addressRangeFrom), []),
    rateLimit: read('RATE_LIMIT', rateLimitFrom, { limit: 600, windowSeconds: 60 }),
    accessPolicy: read('ACCESS_POLICY', oneOf(ACCESS_POLICIES), 'documented'),
    orderHoldMilliseconds: read('ORDER_HOLD', durationFrom, 24 * 3_600_000),
    stopWaitMilliseconds: read('STOP_WAIT', delayFrom, 25_000),
    corsOrigins: read('CORS_ORIGINS', listOf(originFrom), []),
    logLevel: read('LOG_LEVEL', oneOf(LOG_LEVELS), 'info'),
    nodeEnv,
    ...(servers && { servers }),
    ...(keyEncryptionKey && { keyEncryptionKey }),
    writeWaitMilliseconds: read('WRITE_WAIT', waitFrom, 500),
    webhookRetryDelays: read('WEBHOOK_RETRY_DELAYS', listOf(delayFrom), RETRY_DELAYS),
    workerPort: read('WORKER_PORT', portFrom, 3001),
    // "implied … only while HOST is loopback": in production that may be a machine behind a proxy of its own, with much else on it.
    egressAllow: read('EGRESS_ALLOW', oneOf(EGRESS_ALLOWANCES), isLoopback(host) && nodeEnv !== 'production' ? 'loopback' : 'none'),
    ...(egressProxy !== undefined && { egressProxy }),
  };
  problems.push(...contradictions(settings, env));
  if (problems.length > 0) throw new SettingsError(problems);
  return settings;
};

/** Whether an address is reachable from this machine alone. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);

/** What may hold a password or a key: in brokers' addresses somebody will write one, since the other servers' have one there. */
const SECRETIVE: ReadonlySet<SettingName> = new Set([
  'EVENTSTOREDB_URL',
  'MONGODB_URL',
  'KAFKA_BROKERS',
  'KAFKA_PASSWORD',
  'KEY_ENCRYPTION_KEY',
  'EGRESS_PROXY',
]);

const SHOWN_CHARACTERS = 200;

/** A value on one line, without what may be a secret. */
const shown = (name: SettingName, text: string): string => {
  if (SECRETIVE.has(name)) return '[redacted]';
  const withoutLogins = text.replace(/\/\/[^/]*@/g, '//[redacted]@');
  return JSON.stringify(withoutLogins.length > SHOWN_CHARACTERS ? `${withoutLogins.slice(0, SHOWN_CHARACTERS)}…` : withoutLogins);
};

type Read = <T, F>(name: SettingName, parse: Parse<T>, fallback: F) => T | F;

const readerOf =
  (env: Environment, problems: string[]): Read =>
  <T, F>(name: SettingName, parse: Parse<T>, fallback: F): T | F => {
    const text = env[name]?.trim();
    if (!text) return fallback;
    const value = parse(text);
    if (!isUnreadable(value)) return value;
    problems.push(`${name} is ${shown(name, text)}: ${value.unreadable}`);
    return fallback;
  };

/** "Some but not all URLs set: refuse to start": then there are none, and `contradictions` says what is missing. */
const serversFrom = (read: Read): Servers | undefined => {
  const eventStoreUrl = read('EVENTSTOREDB_URL', eventStoreUrlFrom, undefined);
  const mongoUrl = read('MONGODB_URL', mongoUrlFrom, undefined);
  const kafkaBrokers = read('KAFKA_BROKERS', listOf(brokerFrom), undefined);
  const kafkaReplication = read('KAFKA_REPLICATION', replicationFrom, 1);
  const kafkaTls = read('KAFKA_TLS', oneOf(['on', 'off']), 'off') === 'on';
  const kafkaLogin = kafkaLoginFrom(read);
  return eventStoreUrl !== undefined && mongoUrl !== undefined && kafkaBrokers
    ? { eventStoreUrl, mongoUrl, kafkaBrokers, kafkaReplication, kafkaTls, ...(kafkaLogin && { kafkaLogin }) }
    : undefined;
};

const kafkaLoginFrom = (read: Read): KafkaLogin | undefined => {
  const username = read('KAFKA_USERNAME', textFrom, undefined);
  const password = read('KAFKA_PASSWORD', textFrom, undefined);
  const mechanism = read('KAFKA_SASL_MECHANISM', oneOf(SASL_MECHANISMS), SASL_MECHANISMS[0]);
  return username !== undefined && password !== undefined ? { mechanism, username, password } : undefined;
};

const contradictions = (settings: Settings, env: Environment): readonly string[] => {
  const { host, nodeEnv, publicUrl } = settings;
  const found: string[] = [];
  const isSet = (name: SettingName): boolean => Boolean(env[name]?.trim());
  const policyIsSet = isSet('ACCESS_POLICY');
  // "A HOST beyond loopback, or production, must set ACCESS_POLICY, else the start is refused."
  if (!policyIsSet && !isLoopback(host))
    found.push(`ACCESS_POLICY is missing: HOST ${host} is reachable from other machines, so say "documented" or "strict"`);
  if (!policyIsSet && nodeEnv === 'production') found.push('ACCESS_POLICY is missing: in production say "documented" or "strict"');
  // "PUBLIC_URL (… required in production, the only source of absolute URLs)"
  if (nodeEnv === 'production' && publicUrl === undefined)
    found.push('PUBLIC_URL is missing: in production set it to the address clients use, as "https://pets.example.com"');
  const missing = DISTRIBUTED.filter((name) => !isSet(name));
  if (missing.length > 0 && missing.length < DISTRIBUTED.length) {
    const set = DISTRIBUTED.filter((name) => !missing.includes(name));
    found.push(
      `${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing: several machines need all three, one needs none; ${set.join(' and ')} ${set.length > 1 ? 'are' : 'is'} set`,
    );
  }
  if (isSet('KAFKA_USERNAME') !== isSet('KAFKA_PASSWORD'))
    found.push('KAFKA_USERNAME and KAFKA_PASSWORD belong together: one of them is missing');
  else if (SASL_MECHANISMS.some((known) => known === env['KAFKA_SASL_MECHANISM']?.trim()) && !isSet('KAFKA_USERNAME'))
    found.push('KAFKA_SASL_MECHANISM is set, and no password to prove: say KAFKA_USERNAME and KAFKA_PASSWORD too, or leave it out');
  return nodeEnv === 'production' ? [...found, ...unsafe(settings)] : found;
};

/** "Unsafe durability settings refuse to start when NODE_ENV=production." */
const unsafe = ({ dataDir, servers, keyEncryptionKey }: Settings): readonly string[] => {
  if (!servers)
    return dataDir === ':memory:' ? ['DATA_DIR is ":memory:", which keeps nothing: in production name a folder that is backed up'] : [];
  const found: string[] = [];
  const mongo = servers.mongoUrl.toLowerCase();
  if (/[?&]tls=false/i.test(servers.eventStoreUrl))
    found.push('EVENTSTOREDB_URL says tls=false: in production the log is reached over TLS');
  if (/[?&](w=[01]\b|j(ournal)?=false)/.test(mongo))
    found.push('MONGODB_URL weakens the write concern: leave out w and journal, a write counts once a majority has it on disk');
  if (!mongo.startsWith('mongodb+srv:') && !mongo.includes('replicaset='))
    found.push('MONGODB_URL names no replicaSet: read models and keys need transactions and a second copy');
  // With two, either one being down stops what is told, or what one alone has counts as taken.
  if (servers.kafkaReplication < 3)
    found.push(
      `KAFKA_REPLICATION is ${servers.kafkaReplication}: in production two brokers must have a message while a third is down, so say at least 3`,
    );
  if (servers.kafkaLogin?.mechanism === 'plain' && !servers.kafkaTls)
    found.push('KAFKA_SASL_MECHANISM is plain and KAFKA_TLS is off: in production a password that is sent as it is goes over TLS');
  if (!keyEncryptionKey)
    found.push('KEY_ENCRYPTION_KEY is missing: in production keys are wrapped; make one with "openssl rand -base64 32" and keep it safe');
  return found;
};
