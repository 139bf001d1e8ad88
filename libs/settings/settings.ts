import { isLoopback } from './address-values.js';
import { contradictions } from './contradictions.js';
import { SETTINGS, type Setting, type Values } from './setting-table.js';

/** Environment variables by name, as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

type ServerValue =
  | 'eventStoreUrl'
  | 'mongoUrl'
  | 'kafkaBrokers'
  | 'kafkaReplication'
  | 'kafkaTls'
  | 'kafkaUsername'
  | 'kafkaPassword'
  | 'kafkaSaslMechanism';

/** What the operator decided, checked: read once, at start. The table says what each setting means. */
export type Settings = Omit<Values, ServerValue | 'egressAllow'> & {
  readonly egressAllow: NonNullable<Values['egressAllow']>;
  /** The servers of the distributed profile; absent in the embedded one. */
  readonly servers?: Servers;
};

/** Where the distributed profile keeps things. */
export type Servers = {
  readonly eventStoreUrl: string;
  readonly mongoUrl: string;
  readonly kafkaBrokers: readonly string[];
  readonly kafkaReplication: number;
  readonly kafkaTls: boolean;
  readonly kafkaLogin?: KafkaLogin;
};

/** Who the brokers are told this is. */
type KafkaLogin = { readonly mechanism: Values['kafkaSaslMechanism']; readonly username: string; readonly password: string };

/** Which operations need a token. */
export type AccessPolicy = Values['accessPolicy'];

/** Startup fails: the message names every invalid setting, its value and what is expected. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  constructor(readonly problems: readonly string[]) {
    super(`Invalid settings:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}

/** Reads the settings; throws a SettingsError that lists every problem with its remedy. An empty variable counts as absent. */
export const parseSettings = (env: Environment): Settings => {
  const problems: string[] = [];
  const values = readValues(env, problems);
  problems.push(...contradictions(values, (name) => textOf(env, name)));
  if (problems.length > 0) throw new SettingsError(problems);
  return gathered(values);
};

const textOf = (env: Environment, name: string): string | undefined => env[name]?.trim() || undefined;

const readValues = (env: Environment, problems: string[]): Values =>
  Object.fromEntries(Object.entries(SETTINGS).map(([key, setting]) => [key, readValue(setting, env, problems)])) as Values;

/** A value that is rejected counts as absent from then on, so that the settings that depend on it are checked too. */
const readValue = (setting: Setting, env: Environment, problems: string[]): unknown => {
  const { form, name } = setting;
  const text = textOf(env, name);
  if (text !== undefined) {
    const value = form.parse(text);
    if (value !== undefined) return value;
    problems.push(`${name} is ${shown(setting, text)}: expected ${form.expected}`);
  }
  return setting.default === null ? undefined : form.parse(setting.default);
};

const SHOWN_CHARACTERS = 200;

/** A value on one line, without what may be a secret. */
const shown = ({ isSecret }: Setting, text: string): string => {
  if (isSecret) return '[redacted]';
  const withoutLogins = text.replace(/\/\/[^/]*@/g, '//[redacted]@');
  return JSON.stringify(withoutLogins.length > SHOWN_CHARACTERS ? `${withoutLogins.slice(0, SHOWN_CHARACTERS)}…` : withoutLogins);
};

/** What each setting is where nothing is set. */
export const DEFAULTS = readValues({}, []);

/** Where the store answers while nothing is set, as messages and help show an address. */
export const DEFAULT_URL = `http://${DEFAULTS.host}:${DEFAULTS.port}`;

/** Sorts the values by who needs them. */
const gathered = (values: Values): Settings => {
  const { eventStoreUrl, mongoUrl, kafkaBrokers, kafkaReplication, kafkaTls, kafkaUsername, kafkaPassword, kafkaSaslMechanism, ...own } =
    values;
  const kafkaLogin =
    kafkaUsername !== undefined && kafkaPassword !== undefined
      ? { mechanism: kafkaSaslMechanism, username: kafkaUsername, password: kafkaPassword }
      : undefined;
  // "Some but not all URLs set: refuse to start": then there are none, and `contradictions` says what is missing.
  const servers =
    eventStoreUrl !== undefined && mongoUrl !== undefined && kafkaBrokers !== undefined
      ? { eventStoreUrl, mongoUrl, kafkaBrokers, kafkaReplication, kafkaTls, ...(kafkaLogin && { kafkaLogin }) }
      : undefined;
  return { ...own, egressAllow: own.egressAllow ?? impliedEgress(own), ...(servers && { servers }) };
};

/** "implied … only while HOST is loopback": in production that may be a machine behind a proxy of its own, with much else on it. */
const impliedEgress = ({ host, nodeEnv }: Pick<Values, 'host' | 'nodeEnv'>): Settings['egressAllow'] =>
  isLoopback(host) && nodeEnv !== 'production' ? 'loopback' : 'none';
