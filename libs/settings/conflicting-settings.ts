import { isLoopback } from './address-values.js';
import { SETTINGS, type SettingName, type Values } from './setting-table.js';

/** The distributed profile requires all of these settings, the embedded one none. */
const DISTRIBUTED = [SETTINGS.eventStoreUrl.name, SETTINGS.mongoUrl.name, SETTINGS.kafkaBrokers.name] as const;

/** Returns the trimmed text of a setting; undefined when it is empty or absent. */
type TextOf = (name: SettingName) => string | undefined;

/** Finds missing and conflicting settings among well-formed values. */
export const findConflicts = (values: Values, textOf: TextOf): readonly string[] => [
  ...missingAccessSettings(values, textOf),
  ...missingServers(textOf),
  ...namespaceWithoutServers(values, textOf),
  ...incompleteLogin(values, textOf),
  ...(values.nodeEnv === 'production' ? unsafeSettings(values, textOf) : []),
];

/** ACCESS_POLICY must be set beyond loopback and in production (contract 27.5). */
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

const missingServers = (textOf: TextOf): readonly string[] => {
  const missing = DISTRIBUTED.filter((name) => textOf(name) === undefined);
  const set = DISTRIBUTED.filter((name) => textOf(name) !== undefined);
  if (missing.length === 0 || set.length === 0) return [];
  const isOrAre = (names: readonly string[]): string => `${names.join(' and ')} ${names.length > 1 ? 'are' : 'is'}`;
  return [`${isOrAre(missing)} missing: the distributed profile needs all three settings, the embedded profile none; ${isOrAre(set)} set`];
};

/** Rejects a namespace without servers: it would have no effect, because each folder contains one store. */
const namespaceWithoutServers = ({ namespace }: Values, textOf: TextOf): readonly string[] =>
  namespace === '' || DISTRIBUTED.some((name) => textOf(name) !== undefined)
    ? []
    : [`NAMESPACE is ${namespace}, but the embedded profile has no namespaces: remove it; each embedded store has a DATA_DIR of its own`];

const incompleteLogin = ({ kafkaSaslMechanism }: Values, textOf: TextOf): readonly string[] => {
  if ((textOf('KAFKA_USERNAME') === undefined) !== (textOf('KAFKA_PASSWORD') === undefined))
    return ['KAFKA_USERNAME or KAFKA_PASSWORD is missing: set both or neither'];
  // An invalid mechanism has already been reported, and its value is the default.
  if (textOf('KAFKA_SASL_MECHANISM') === kafkaSaslMechanism && textOf('KAFKA_USERNAME') === undefined)
    return [
      `KAFKA_SASL_MECHANISM is ${kafkaSaslMechanism} without a password: set KAFKA_USERNAME and KAFKA_PASSWORD, or remove KAFKA_SASL_MECHANISM`,
    ];
  return [];
};

/** Unsafe settings prevent the start in production (contract 27.5). */
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
