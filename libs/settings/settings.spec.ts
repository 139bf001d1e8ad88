import { describe, expect, it } from '@jest/globals';
import { SETTINGS, type Setting } from './setting-table.js';
import { parseSettings, SettingsError, type Environment } from './settings.js';
import { TRACING_DEFAULTS } from './tracing.fixtures.js';

const problemsOf = (env: Environment): readonly string[] => {
  try {
    parseSettings(env);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
};

const SERVERS = { EVENTSTOREDB_URL: 'esdb://log:2113', MONGODB_URL: 'mongodb://db/?replicaSet=rs0', KAFKA_BROKERS: 'k1:9092, k2:9092' };

/** All settings except those of servers. Each value differs from its default. The default of EGRESS_ALLOW depends on HOST. */
const ALL_SET = {
  ...{ PORT: '8080', HOST: '0.0.0.0' },
  DATA_DIR: '/var/lib/petstore',
  PUBLIC_URL: 'https://pets.example.com/',
  TRUSTED_PROXIES: '10.0.0.0/8, ::1',
  RATE_LIMIT: '10/2m',
  ACCESS_POLICY: 'strict',
  ORDER_HOLD: '15m',
  ADOPTION_HOLD: '21d',
  STOP_WAIT: '0s',
  CORS_ORIGINS: 'https://shop.example.com,http://localhost:5173',
  LOG_LEVEL: 'debug',
  NODE_ENV: 'production',
  WRITE_WAIT: '250ms',
  WEBHOOK_RETRY_DELAYS: '0s, 250ms,5m',
  WORKER_PORT: '0',
  EGRESS_ALLOW: 'loopback',
  EGRESS_PROXY: 'http://user:pass%20word@proxy:3128',
  ...{ ADMIN_PASSWORD: 'correct horse battery', SECURITY_LOG_RETENTION: '30d', DELIVERY_RETENTION: '7d' },
  ...{ METRICS_PORT: '9464', METRICS_HOST: '::1' },
  ...{ CHECKPOINT_EVERY: '1h', AUDIT_EVERY: '7d', SIGNING_KEY_FILE: '/run/secrets/key.pem' },
};

describe('settings', () => {
  it('are all optional, with these defaults', () => {
    expect(parseSettings({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      dataDir: '.data',
      trustedProxies: [],
      rateLimit: { limit: 600, windowSeconds: 60 },
      ...{ accessPolicy: 'documented', classicImplicitFlow: false },
      ...{ securityLogRetentionMilliseconds: 34_560_000_000, checkpointEveryMilliseconds: 600_000, auditEveryMilliseconds: 86_400_000 },
      ...{ orderHoldMilliseconds: 86_400_000, adoptionHoldMilliseconds: 1_209_600_000, deliveryRetentionMilliseconds: 7_776_000_000 },
      ...{ stopWaitMilliseconds: 25_000, metricsHost: '127.0.0.1' },
      corsOrigins: [],
      logLevel: 'info',
      nodeEnv: 'development',
      writeWaitMilliseconds: 500,
      // The documented schedule (contract 20.4).
      webhookRetryDelays: [0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].map((seconds) => seconds * 1000),
      workerPort: 3001,
      egressAllow: 'loopback',
      ...TRACING_DEFAULTS,
    });
  });

  it('are parsed to typed values', () => {
    const settings = parseSettings(ALL_SET);
    expect(settings).toEqual({
      port: 8080,
      host: '0.0.0.0',
      dataDir: '/var/lib/petstore',
      publicUrl: 'https://pets.example.com',
      trustedProxies: ['10.0.0.0/8', '::1'],
      rateLimit: { limit: 10, windowSeconds: 120 },
      ...{ accessPolicy: 'strict', classicImplicitFlow: false },
      adminPassword: 'correct horse battery',
      ...{ securityLogRetentionMilliseconds: 2_592_000_000, checkpointEveryMilliseconds: 3_600_000, auditEveryMilliseconds: 604_800_000 },
      ...{ signingKeyFile: '/run/secrets/key.pem', deliveryRetentionMilliseconds: 604_800_000 },
      ...{ orderHoldMilliseconds: 900_000, adoptionHoldMilliseconds: 1_814_400_000, stopWaitMilliseconds: 0 },
      corsOrigins: ['https://shop.example.com', 'http://localhost:5173'],
      logLevel: 'debug',
      nodeEnv: 'production',
      writeWaitMilliseconds: 250,
      webhookRetryDelays: [0, 250, 300_000],
      ...{ workerPort: 0, metricsPort: 9464, metricsHost: '::1', egressAllow: 'loopback' },
      egressProxy: 'http://user:pass%20word@proxy:3128',
      ...TRACING_DEFAULTS,
    });
    expect(parseSettings({ RATE_LIMIT: 'off' }).rateLimit).toBe('off');
    // A path without detours: the folders of a detour need not exist.
    expect(parseSettings({ DATA_DIR: 'no/../yes/' }).dataDir).toBe('yes/');
  });

  it.each(Object.values<Setting>(SETTINGS).filter((setting) => setting.default !== null))(
    'have a valid default for $name',
    ({ form, default: text }) => expect(form.parse(text ?? '')).toBeDefined(),
  );

  it('count as absent when empty (contract 27.4)', () => expect(parseSettings({ PORT: '', PUBLIC_URL: ' ' })).toEqual(parseSettings({})));

  it.each([
    ['PORT', '70000'],
    ['PORT', 'http'],
    ['HOST', 'not a host'],
    ['PUBLIC_URL', 'pets.example.com'],
    ['PUBLIC_URL', 'ftp://pets.example.com'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['RATE_LIMIT', '600'],
    ['RATE_LIMIT', '0/60s'],
    ['ACCESS_POLICY', 'open'],
    ['ORDER_HOLD', '24'],
    ['ORDER_HOLD', '1.5h'],
    ['WEBHOOK_RETRY_DELAYS', '5'],
    ['WEBHOOK_RETRY_DELAYS', '0s,,5m'],
    ['CORS_ORIGINS', '*'],
    ['CORS_ORIGINS', 'https://shop.example.com/'],
    ['LOG_LEVEL', 'loud'],
    ['NODE_ENV', 'staging'],
    ['KAFKA_TLS', 'yes'],
    ['KAFKA_SASL_MECHANISM', 'gssapi'],
    ['EGRESS_ALLOW', '127.0.0.1'],
  ])('reject %s=%s and name the expected form', (name, value) => {
    const [problem, ...others] = problemsOf({ [name]: value });
    expect(problem).toMatch(new RegExp(`^${name} is "[^"]+": expected `));
    expect(others).toEqual([]);
  });

  it('are rejected with all problems in one error', () => {
    expect(problemsOf({ PORT: 'x', LOG_LEVEL: 'loud', NODE_ENV: 'production' }).map((problem) => problem.split(' ')[0])).toEqual([
      'PORT',
      'LOG_LEVEL',
      'ACCESS_POLICY',
      'PUBLIC_URL',
    ]);
  });

  it('require ACCESS_POLICY if HOST is not a loopback address (contract 27.5)', () => {
    expect(problemsOf({ HOST: '0.0.0.0' })).toEqual([expect.stringContaining('ACCESS_POLICY is missing')]);
    expect(problemsOf({ HOST: '0.0.0.0', ACCESS_POLICY: 'documented' })).toEqual([]);
  });

  it('name the missing servers when only some are set (contract 27.1)', () => {
    expect(problemsOf({ MONGODB_URL: 'mongodb://db', KAFKA_BROKERS: 'k:9092' })).toEqual([
      expect.stringMatching(/^EVENTSTOREDB_URL is missing: the distributed profile needs all three settings/),
    ]);
    expect(problemsOf({ KAFKA_BROKERS: 'k:9092' })).toEqual([expect.stringMatching(/^EVENTSTOREDB_URL and MONGODB_URL are missing/)]);
  });

  it('report an invalid value once, and not also as missing', () => {
    const env = {
      NODE_ENV: 'production',
      ACCESS_POLICY: 'open',
      PUBLIC_URL: 'pets',
      ...SERVERS,
      KEY_ENCRYPTION_KEY: 'key',
      KAFKA_REPLICATION: '3',
    };
    const names = problemsOf(env).map((problem) => problem.split(' ').slice(0, 2).join(' '));
    expect(names).toEqual(['PUBLIC_URL is', 'ACCESS_POLICY is', 'KEY_ENCRYPTION_KEY is']);
  });

  it('select the distributed profile when all servers are set (contract 27.1)', () => {
    expect(parseSettings(SERVERS).servers).toEqual({
      eventStoreUrl: 'esdb://log:2113',
      mongoUrl: 'mongodb://db/?replicaSet=rs0',
      kafkaBrokers: ['k1:9092', 'k2:9092'],
      namespace: '',
      kafkaReplication: 1,
      kafkaTls: false,
    });
    expect(parseSettings({}).servers).toBeUndefined();
  });

  it('accept NAMESPACE only in the distributed profile (contract 24.10)', () => {
    expect(parseSettings({ ...SERVERS, NAMESPACE: 'a1234567890123456789' }).servers?.namespace).toBe('a1234567890123456789');
    expect(problemsOf({ NAMESPACE: 'shop' })).toEqual([
      expect.stringMatching(/^NAMESPACE is shop, but the embedded profile has no namespaces: remove it/),
    ]);
    expect(problemsOf({ NAMESPACE: 'shop', KAFKA_BROKERS: 'k:9092' })).toEqual([
      expect.stringMatching(/^EVENTSTOREDB_URL and MONGODB_URL are missing/),
    ]);
  });

  it('contain the login for the brokers', () => {
    const login = { KAFKA_USERNAME: 'petstore', KAFKA_PASSWORD: 'pass' };
    const brokers = { kafkaTls: true, kafkaLogin: { mechanism: 'scram-sha-512', username: 'petstore', password: 'pass' } };
    expect(parseSettings({ ...SERVERS, ...login, KAFKA_TLS: 'on' }).servers).toMatchObject(brokers);
    expect(parseSettings({ ...SERVERS, ...login, KAFKA_SASL_MECHANISM: 'plain' }).servers?.kafkaLogin?.mechanism).toBe('plain');
    expect(problemsOf({ ...SERVERS, KAFKA_USERNAME: 'petstore' })).toEqual([expect.stringMatching(/set both or neither/)]);
    expect(problemsOf({ ...SERVERS, KAFKA_PASSWORD: 'secret' })).toEqual([expect.not.stringMatching(/secret/)]);
  });

  it.each([
    ['an event store with the scheme http', { EVENTSTOREDB_URL: 'http://log:secret@host' }, 'EVENTSTOREDB_URL'],
    ['a database with another scheme', { MONGODB_URL: 'postgres://me:secret@db' }, 'MONGODB_URL'],
    ['an internal database of the server', { MONGODB_URL: 'mongodb://me:secret@db/admin?replicaSet=rs0' }, 'MONGODB_URL'],
    ['brokers without ports', { KAFKA_BROKERS: 'k1,k2' }, 'KAFKA_BROKERS'],
    ['brokers with a password', { KAFKA_BROKERS: 'me:secret@k1:9093' }, 'KAFKA_BROKERS'],
    ['a SASL mechanism without a password', { KAFKA_SASL_MECHANISM: 'plain' }, 'KAFKA_SASL_MECHANISM'],
    ['a key that is not 32 bytes long', { KEY_ENCRYPTION_KEY: Buffer.from('secret').toString('base64') }, 'KEY_ENCRYPTION_KEY'],
    ['a proxy with the scheme https', { EGRESS_PROXY: 'https://me:secret@proxy:3128' }, 'EGRESS_PROXY'],
    ['a proxy with a path', { EGRESS_PROXY: 'http://me:secret@proxy:3128/secret' }, 'EGRESS_PROXY'],
    ['a proxy with a broken escape', { EGRESS_PROXY: 'http://me:secret%2@proxy:3128' }, 'EGRESS_PROXY'],
    ['a wait without a unit', { WRITE_WAIT: '5' }, 'WRITE_WAIT'],
  ])('reject %s, and reveal no secret', (_, env, name) => {
    const problems = problemsOf({ ...SERVERS, ...env });
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name} `))]);
    expect(problems.join()).not.toMatch(/secret|c2VjcmV0/);
  });

  it('reject in production values that could lose acknowledged writes or reveal secrets (contract 27.5)', () => {
    const production = { NODE_ENV: 'production', ACCESS_POLICY: 'strict', PUBLIC_URL: 'https://pets.example.com' };
    const KEY = Buffer.alloc(32, 1).toString('base64');
    expect(problemsOf({ ...production, DATA_DIR: ':memory:' })).toEqual([expect.stringMatching(/^DATA_DIR is ":memory:"/)]);
    const careless = { ...SERVERS, EVENTSTOREDB_URL: 'esdb://log:2113?tls=false', MONGODB_URL: 'mongodb://db/?w=1' };
    expect(problemsOf({ ...production, ...careless }).map((problem) => problem.split(' ')[0])).toEqual([
      'EVENTSTOREDB_URL',
      'MONGODB_URL',
      'MONGODB_URL',
      'KAFKA_REPLICATION',
      'KEY_ENCRYPTION_KEY',
    ]);
    expect(problemsOf({ ...production, ...SERVERS, KAFKA_REPLICATION: '2', KEY_ENCRYPTION_KEY: KEY })).toEqual([
      expect.stringMatching(/^KAFKA_REPLICATION is 2: .* at least 3$/),
    ]);
    const careful = { ...SERVERS, KAFKA_REPLICATION: '3', KEY_ENCRYPTION_KEY: KEY };
    expect(problemsOf({ ...production, ...careful })).toEqual([]);
    const open = { ...careful, KAFKA_USERNAME: 'petstore', KAFKA_PASSWORD: 'pass', KAFKA_SASL_MECHANISM: 'plain' };
    expect(problemsOf({ ...production, ...open })).toEqual([expect.stringMatching(/^KAFKA_SASL_MECHANISM is plain/)]);
    expect(problemsOf({ ...production, ...open, KAFKA_TLS: 'on' })).toEqual([]);
  });

  it.each([
    [{}, 'loopback'],
    [{ HOST: '::1' }, 'loopback'],
    [{ EGRESS_ALLOW: 'none' }, 'none'],
    [{ HOST: '0.0.0.0', ACCESS_POLICY: 'documented' }, 'none'],
    [{ HOST: '0.0.0.0', ACCESS_POLICY: 'documented', EGRESS_ALLOW: 'loopback' }, 'loopback'],
    [{ NODE_ENV: 'production', ACCESS_POLICY: 'strict', PUBLIC_URL: 'https://pets.example.com' }, 'none'],
  ])('with %j make EGRESS_ALLOW %s: by default loopback if HOST is a loopback address outside production', (env, allowance) =>
    expect(parseSettings(env).egressAllow).toBe(allowance),
  );

  it('are each described once', () => {
    const settings = Object.values<Setting>(SETTINGS);
    const names = settings.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(settings.every(({ meaning, form }) => meaning.length > 0 && form.expected.length > 0)).toBe(true);
  });
});
