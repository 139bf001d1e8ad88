import { isLoopback } from './address-values.js';
import { findConflicts } from './conflicting-settings.js';
import { SETTINGS, type Setting, type Values } from './setting-table.js';

/** Environment variables by name, as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

type ServerValue =
  | 'eventStoreUrl'
  | 'mongoUrl'
  | 'kafkaBrokers'
  | 'namespace'
  | 'kafkaReplication'
  | 'kafkaTls'
  | 'kafkaUsername'
  | 'kafkaPassword'
  | 'kafkaSaslMechanism';

/** The validated settings, read once at startup. The setting table describes each one. */
export type Settings = Omit<Values, ServerValue | 'egressAllow'> & {
  readonly egressAllow: NonNullable<Values['egressAllow']>;
  /** The servers of the distributed profile; absent in the embedded one. */
  readonly servers?: Servers;
};

/** The servers of the distributed profile. */
export type Servers = {
  readonly eventStoreUrl: string;
  readonly mongoUrl: string;
  readonly kafkaBrokers: readonly string[];
  /** Keeps the store apart from others on these servers; empty for none. */
  readonly namespace: string;
  readonly kafkaReplication: number;
  readonly kafkaTls: boolean;
  readonly kafkaLogin?: KafkaLogin;
};

/** The credentials for the brokers. */
type KafkaLogin = { readonly mechanism: Values['kafkaSaslMechanism']; readonly username: string; readonly password: string };

/** The policy that decides which operations need a token. */
export type AccessPolicy = Values['accessPolicy'];

/** Invalid settings. The message names each of them, its value and the expected form. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  constructor(readonly problems: readonly string[]) {
    super(`Invalid settings:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}

/**
 * Reads the settings; throws a SettingsError that lists every problem with its remedy. An empty variable
 * counts as absent.
 */
export const parseSettings = (env: Environment): Settings => {
  const problems: string[] = [];
  const values = readValues(env, problems);
  problems.push(...findConflicts(values, (name) => textOf(env, name)));
  if (problems.length > 0) throw new SettingsError(problems);
  return groupServers(values);
};

const textOf = (env: Environment, name: string): string | undefined => env[name]?.trim() || undefined;

const readValues = (env: Environment, problems: string[]): Values =>
  Object.fromEntries(Object.entries(SETTINGS).map(([key, setting]) => [key, readValue(setting, env, problems)])) as Values;

/** Reads one setting. An invalid value counts as absent, so that dependent settings are still checked. */
const readValue = (setting: Setting, env: Environment, problems: string[]): unknown => {
  const { form, name } = setting;
  const text = textOf(env, name);
  if (text !== undefined) {
    const value = form.parse(text);
    if (value !== undefined) return value;
    problems.push(`${name} is ${redact(setting, text)}: expected ${form.expected}`);
  }
  return setting.default === null ? undefined : form.parse(setting.default);
};

const SHOWN_CHARACTERS = 200;

/** Formats a value on one line without possible secrets. */
const redact = ({ isSecret }: Setting, text: string): string => {
  if (isSecret) return '[redacted]';
  const withoutLogins = text.replace(/\/\/[^/]*@/g, '//[redacted]@');
  return JSON.stringify(withoutLogins.length > SHOWN_CHARACTERS ? `${withoutLogins.slice(0, SHOWN_CHARACTERS)}…` : withoutLogins);
};

/** The default of each setting. */
export const DEFAULTS = readValues({}, []);

/** The server's URL with default settings, for messages and help. */
export const DEFAULT_URL = `http://${DEFAULTS.host}:${DEFAULTS.port}`;

/** Groups the server settings. */
const groupServers = (values: Values): Settings => {
  const {
    eventStoreUrl,
    mongoUrl,
    kafkaBrokers,
    namespace,
    kafkaReplication,
    kafkaTls,
    kafkaUsername,
    kafkaPassword,
    kafkaSaslMechanism,
    ...own
  } = values;
  const kafkaLogin =
    kafkaUsername !== undefined && kafkaPassword !== undefined
      ? { mechanism: kafkaSaslMechanism, username: kafkaUsername, password: kafkaPassword }
      : undefined;
  // When only some are set, `findConflicts` reports the missing ones (contract 27.1).
  const servers =
    eventStoreUrl !== undefined && mongoUrl !== undefined && kafkaBrokers !== undefined
      ? { eventStoreUrl, mongoUrl, kafkaBrokers, namespace, kafkaReplication, kafkaTls, ...(kafkaLogin && { kafkaLogin }) }
      : undefined;
  return { ...own, egressAllow: own.egressAllow ?? defaultEgress(own), ...(servers && { servers }) };
};

/**
 * Requests to loopback addresses are allowed by default if HOST is one (contract 21.4), but not in
 * production, where HOST may be behind a proxy on the same machine.
 */
const defaultEgress = ({ host, nodeEnv }: Pick<Values, 'host' | 'nodeEnv'>): Settings['egressAllow'] =>
  isLoopback(host) && nodeEnv !== 'production' ? 'loopback' : 'none';
