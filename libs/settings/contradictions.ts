import { isLoopback } from './address-values.js';
import { SETTINGS, type SettingName, type Values } from './setting-table.js';

/** The distributed profile is chosen by all of these, the embedded one by none. */
const DISTRIBUTED = [SETTINGS.eventStoreUrl.name, SETTINGS.mongoUrl.name, SETTINGS.kafkaBrokers.name] as const;

/** The text that a setting is set to, trimmed; undefined when it is empty or absent. */
type TextOf = (name: SettingName) => string | undefined;

/** What is missing, or does not go together, among values that are each well-formed. */
export const contradictions = (values: Values, textOf: TextOf): readonly string[] => [
  ...undecidedAccess(values, textOf),
  ...missingServers(textOf),
  ...halfLogin(values, textOf),
  ...(values.nodeEnv === 'production' ? unsafe(values, textOf) : []),
];

/** "A HOST beyond loopback, or production, must set ACCESS_POLICY, else the start is refused." */
const undecidedAccess = ({ host, nodeEnv }: Values, textOf: TextOf): readonly string[] => {
  const found: string[] = [];
  if (textOf('ACCESS_POLICY') === undefined && !isLoopback(host))
    found.push(`ACCESS_POLICY is missing: HOST ${host} is reachable from other machines, so set "documented" or "strict"`);
  if (textOf('ACCESS_POLICY') === undefined && nodeEnv === 'production')
    found.push('ACCESS_POLICY is missing: in production set "documented" or "strict"');
  // "PUBLIC_URL (… required in production, the only source of absolute URLs)"
  if (textOf('PUBLIC_URL') === undefined && nodeEnv === 'production')
    found.push('PUBLIC_URL is missing: in production set it to the address that clients use, as "https://pets.example.com"');
  return found;
};

const missingServers = (textOf: TextOf): readonly string[] => {
  const missing = DISTRIBUTED.filter((name) => textOf(name) === undefined);
  const set = DISTRIBUTED.filter((name) => textOf(name) !== undefined);
  if (missing.length === 0 || set.length === 0) return [];
  const isOrAre = (names: readonly string[]): string => `${names.join(' and ')} ${names.length > 1 ? 'are' : 'is'}`;
  return [`${isOrAre(missing)} missing: several machines need all three, one needs none; ${isOrAre(set)} set`];
};

const halfLogin = ({ kafkaSaslMechanism }: Values, textOf: TextOf): readonly string[] => {
  if ((textOf('KAFKA_USERNAME') === undefined) !== (textOf('KAFKA_PASSWORD') === undefined))
    return ['KAFKA_USERNAME and KAFKA_PASSWORD belong together: one of them is missing'];
  // Another text was rejected already.
  if (textOf('KAFKA_SASL_MECHANISM') === kafkaSaslMechanism && textOf('KAFKA_USERNAME') === undefined)
    return [
      `KAFKA_SASL_MECHANISM is ${kafkaSaslMechanism}, and there is no password: set KAFKA_USERNAME and KAFKA_PASSWORD too, or leave it out`,
    ];
  return [];
};

/** "Unsafe durability settings refuse to start when NODE_ENV=production." */
const unsafe = (values: Values, textOf: TextOf): readonly string[] => {
  const { dataDir, eventStoreUrl, mongoUrl, kafkaBrokers, kafkaReplication, kafkaSaslMechanism, kafkaTls } = values;
  if (eventStoreUrl === undefined || mongoUrl === undefined || kafkaBrokers === undefined)
    return dataDir === ':memory:' ? ['DATA_DIR is ":memory:", which keeps nothing: in production name a folder that is backed up'] : [];
  const found: string[] = [];
  const mongo = mongoUrl.toLowerCase();
  if (/[?&]tls=false/i.test(eventStoreUrl)) found.push('EVENTSTOREDB_URL says tls=false: in production the log is reached over TLS');
  if (/[?&](w=[01]\b|j(ournal)?=false)/.test(mongo))
    found.push('MONGODB_URL weakens the write concern: leave out w and journal, a write counts once a majority has it on disk');
  if (!mongo.startsWith('mongodb+srv:') && !mongo.includes('replicaset='))
    found.push('MONGODB_URL names no replicaSet: read models and keys need transactions and a second copy');
  // With two brokers, either publishing stops while one is down, or messages that only one broker has count as published.
  if (kafkaReplication < 3)
    found.push(
      `KAFKA_REPLICATION is ${kafkaReplication}: in production two brokers must have a message while a third is down, so set at least 3`,
    );
  if (textOf('KAFKA_PASSWORD') !== undefined && kafkaSaslMechanism === 'plain' && !kafkaTls)
    found.push('KAFKA_SASL_MECHANISM is plain and KAFKA_TLS is off: in production a password that is sent as it is needs TLS');
  if (textOf('KEY_ENCRYPTION_KEY') === undefined)
    found.push('KEY_ENCRYPTION_KEY is missing: in production keys are wrapped; make one with "openssl rand -base64 32" and keep it safe');
  return found;
};
