import { isLoopback, isPlainLoopback } from './address-values.js';
import { SETTINGS, type SettingName, type Values } from './setting-table.js';

/** The settings that select the profile. For the distributed profile, all of them are set. For the embedded profile, none is. */
const DISTRIBUTED = [SETTINGS.eventStoreUrl.name, SETTINGS.mongoUrl.name, SETTINGS.kafkaBrokers.name] as const;

/** Returns the trimmed text of a setting; undefined when it is empty or absent. */
type TextOf = (name: SettingName) => string | undefined;

/**
 * Returns a message for each missing, conflicting or unsafe setting. If the form of a value is invalid, `values` contains
 * the default instead. `parseSettings` reports invalid forms.
 */
export const findConflicts = (values: Values, textOf: TextOf): readonly string[] => [
  ...missingAccessSettings(values, textOf),
  ...missingServers(textOf),
  ...namespaceWithoutServers(values, textOf),
  ...incompleteLogin(values, textOf),
  ...previousKeyAlone(values, textOf),
  ...metricsHostAlone(textOf),
  ...issuerConflicts(values, textOf),
  ...advisorConflicts(values, textOf),
  ...(values.nodeEnv === 'production' ? unsafeSettings(values, textOf) : []),
];

/** ACCESS_POLICY must be set in production, and if HOST is not loopback. PUBLIC_URL must be set in production (contract 27.5). */
const missingAccessSettings = ({ host, nodeEnv }: Values, textOf: TextOf): readonly string[] => {
  const found: string[] = [];
  if (textOf('ACCESS_POLICY') === undefined && !isLoopback(host))
    found.push(`ACCESS_POLICY is missing: HOST ${host} is reachable from other machines, so set "documented" or "strict"`);
  if (textOf('ACCESS_POLICY') === undefined && nodeEnv === 'production')
    found.push('ACCESS_POLICY is missing: in production set "documented" or "strict"');
  // PUBLIC_URL is the only source of absolute URLs, so production requires it (contract 27.5).
  if (textOf('PUBLIC_URL') === undefined && nodeEnv === 'production')
    found.push('PUBLIC_URL is missing: in production set it to the address that clients use, for example "https://pets.example.com"');
  return found;
};

/**
 * ADVISOR_BASE_URL and ADVISOR_MODELS need each other, and ADVISOR_API_KEY needs both. An address that is not loopback needs
 * TLS, because requests contain the API key and chats (contract 41.10).
 */
const advisorConflicts = ({ advisorBaseUrl }: Values, textOf: TextOf): readonly string[] => {
  if (textOf('ADVISOR_BASE_URL') !== undefined) {
    const found: string[] = [];
    if (textOf('ADVISOR_MODELS') === undefined) found.push('ADVISOR_MODELS is missing: ADVISOR_BASE_URL needs the names of its models');
    if (advisorBaseUrl?.startsWith('http:') && !isPlainLoopback(advisorBaseUrl))
      found.push('ADVISOR_BASE_URL has no TLS: use https; http is only for a language model on loopback');
    return found;
  }
  return (['ADVISOR_API_KEY', 'ADVISOR_MODELS'] as const)
    .filter((name) => textOf(name) !== undefined)
    .map((name) => `ADVISOR_BASE_URL is missing: ${name} belongs to the language model at that address`);
};

/** The addresses of the servers are set all together or not at all (contract 27.1). */
const missingServers = (textOf: TextOf): readonly string[] => {
  const missing = DISTRIBUTED.filter((name) => textOf(name) === undefined);
  const set = DISTRIBUTED.filter((name) => textOf(name) !== undefined);
  if (missing.length === 0 || set.length === 0) return [];
  const isOrAre = (names: readonly string[]): string => `${names.join(' and ')} ${names.length > 1 ? 'are' : 'is'}`;
  return [`${isOrAre(missing)} missing: the distributed profile needs all three settings, the embedded profile none; ${isOrAre(set)} set`];
};

/** Rejects NAMESPACE in the embedded profile. It would have no effect, because a folder contains one store (contract 24.10). */
const namespaceWithoutServers = ({ namespace }: Values, textOf: TextOf): readonly string[] =>
  namespace === '' || DISTRIBUTED.some((name) => textOf(name) !== undefined)
    ? []
    : [`NAMESPACE is ${namespace}, but the embedded profile has no namespaces: remove it; each embedded store has a DATA_DIR of its own`];

const incompleteLogin = ({ kafkaSaslMechanism }: Values, textOf: TextOf): readonly string[] => {
  if ((textOf('KAFKA_USERNAME') === undefined) !== (textOf('KAFKA_PASSWORD') === undefined))
    return ['KAFKA_USERNAME or KAFKA_PASSWORD is missing: set both or neither'];
  // An invalid mechanism is not reported a second time here: its value is the default, which differs from the text.
  if (textOf('KAFKA_SASL_MECHANISM') === kafkaSaslMechanism && textOf('KAFKA_USERNAME') === undefined)
    return [
      `KAFKA_SASL_MECHANISM is ${kafkaSaslMechanism} without a password: set KAFKA_USERNAME and KAFKA_PASSWORD, or remove KAFKA_SASL_MECHANISM`,
    ];
  return [];
};

/**
 * Rejects KEY_ENCRYPTION_KEY_PREVIOUS without KEY_ENCRYPTION_KEY, because a previous key is only set while another key replaces
 * it. Rejects equal values, because `keys reencrypt` would then change nothing (contract 31.4).
 */
const previousKeyAlone = ({ keyEncryptionKey, previousKeyEncryptionKey }: Values, textOf: TextOf): readonly string[] => {
  if (!previousKeyEncryptionKey) return [];
  if (textOf('KEY_ENCRYPTION_KEY') === undefined)
    return ['KEY_ENCRYPTION_KEY is missing: KEY_ENCRYPTION_KEY_PREVIOUS is only its former value, so set both'];
  return keyEncryptionKey && Buffer.compare(keyEncryptionKey, previousKeyEncryptionKey) === 0
    ? ['KEY_ENCRYPTION_KEY_PREVIOUS equals KEY_ENCRYPTION_KEY: set it to the former key, or remove it']
    : [];
};

const metricsHostAlone = (textOf: TextOf): readonly string[] =>
  textOf('METRICS_HOST') === undefined || textOf('METRICS_PORT') !== undefined
    ? []
    : ['METRICS_PORT is missing: without it METRICS_HOST has no effect; set both, or remove METRICS_HOST'];

/** The settings about an outside issuer. They have no effect without OIDC_ISSUER (contract 33.1). */
const ISSUER_SETTINGS = [
  SETTINGS.oidcAudience.name,
  SETTINGS.oidcJwksUrl.name,
  SETTINGS.oidcScopeClaim.name,
  SETTINGS.oidcTenantClaim.name,
  SETTINGS.consoleClientId.name,
] as const;

const issuerConflicts = ({ oidcIssuer, oidcJwksUrl, host, publicUrl }: Values, textOf: TextOf): readonly string[] => {
  // An invalid OIDC_ISSUER has already been reported, so it does not count as missing.
  if (textOf('OIDC_ISSUER') === undefined)
    return ISSUER_SETTINGS.filter((name) => textOf(name) !== undefined).map(
      (name) => `OIDC_ISSUER is missing: without it ${name} has no effect; set both, or remove ${name}`,
    );
  const found: string[] = [];
  if (textOf('OIDC_AUDIENCE') === undefined)
    found.push("OIDC_AUDIENCE is missing: set it to this service's name in the claim aud of the issuer's access tokens");
  if (oidcIssuer === undefined) return found;
  for (const [name, url] of [
    ['OIDC_ISSUER', oidcIssuer],
    ['OIDC_JWKS_URL', oidcJwksUrl],
  ] as const)
    if (url !== undefined && !url.toLowerCase().startsWith('https:') && !(isPlainLoopback(url) && isLoopback(host)))
      found.push(`${name} has no TLS: use https; http is only for an issuer on loopback while HOST is loopback`);
  if (oidcIssuer.replace(/\/$/, '') === publicUrl)
    found.push('OIDC_ISSUER equals PUBLIC_URL: set it to another issuer, or remove it if users sign in at this service');
  return found;
};

/** Returns a message for each setting that prevents the start in production (contract 27.5). */
const unsafeSettings = (values: Values, textOf: TextOf): readonly string[] => {
  const { dataDir, eventStoreUrl, mongoUrl, kafkaBrokers, kafkaReplication, kafkaSaslMechanism, kafkaTls } = values;
  if (eventStoreUrl === undefined || mongoUrl === undefined || kafkaBrokers === undefined)
    return dataDir === ':memory:'
      ? ['DATA_DIR is ":memory:", which stores nothing on disk: in production set it to a folder that is backed up']
      : [];
  const found: string[] = [];
  const mongo = mongoUrl.toLowerCase();
  if (/[?&]tls=false/i.test(eventStoreUrl))
    found.push('EVENTSTOREDB_URL contains tls=false: in production the connection to the log needs TLS');
  if (/[?&](w=[01]\b|j(ournal)?=false)/.test(mongo))
    found.push('MONGODB_URL weakens the write concern: remove w and journal; a write is then acknowledged once a majority has it on disk');
  if (!mongo.startsWith('mongodb+srv:') && !mongo.includes('replicaset='))
    found.push('MONGODB_URL has no replicaSet: read models and keys need transactions and replication');
  // With two brokers, one outage either stops publishing or leaves published messages on a single broker.
  if (kafkaReplication < 3)
    found.push(
      `KAFKA_REPLICATION is ${kafkaReplication}: in production two brokers must store a message while a third is down, so set at least 3`,
    );
  if (textOf('KAFKA_PASSWORD') !== undefined && kafkaSaslMechanism === 'plain' && !kafkaTls)
    found.push('KAFKA_SASL_MECHANISM is plain and KAFKA_TLS is off: in production a password in plain text needs TLS');
  if (textOf('KEY_ENCRYPTION_KEY') === undefined)
    found.push(
      'KEY_ENCRYPTION_KEY is missing: in production keys are encrypted; create one with "openssl rand -base64 32" and keep it safe',
    );
  return found;
};
