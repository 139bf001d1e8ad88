import { isLoopback } from './address-values.js';
import { findConflicts } from './conflicting-settings.js';
import { SETTINGS, type Setting, type Values } from './setting-table.js';

/** Environment variables by name, in the form of `process.env`. */
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

type IssuerValue = 'oidcIssuer' | 'oidcAudience' | 'oidcJwksUrl' | 'oidcScopeClaim' | 'oidcTenantClaim' | 'consoleClientId';

/** The validated settings, read once at startup. SETTINGS describes each setting. */
export type Settings = Omit<Values, ServerValue | IssuerValue | 'egressAllow'> & {
  readonly egressAllow: NonNullable<Values['egressAllow']>;
  /** The servers of the distributed profile; absent in the embedded profile. */
  readonly servers?: Servers;
  /** Present if the service accepts the tokens of an outside issuer. Sign-in at the service is then off (contract 33.1). */
  readonly outsideIssuer?: OutsideIssuerSettings;
};

/** The outside issuer, and the names of its claims (contract 33.1). */
export type OutsideIssuerSettings = {
  readonly issuer: string;
  readonly audience: string;
  /** The setting OIDC_JWKS_URL. */
  readonly keysUrl?: string;
  readonly scopeClaim: string;
  readonly tenantClaim: string;
  /** The setting CONSOLE_CLIENT_ID. Without it nobody signs in to the console (contract 43.11). */
  readonly consoleClientId?: string;
};

/** The servers of the distributed profile. */
export type Servers = {
  readonly eventStoreUrl: string;
  readonly mongoUrl: string;
  readonly kafkaBrokers: readonly string[];
  /** Keeps this store apart from other stores on the same servers. The empty text is a namespace too (contract 24.10). */
  readonly namespace: string;
  readonly kafkaReplication: number;
  readonly kafkaTls: boolean;
  readonly kafkaLogin?: KafkaLogin;
};

/** The credentials for the brokers. */
type KafkaLogin = { readonly mechanism: Values['kafkaSaslMechanism']; readonly username: string; readonly password: string };

/** The policy that decides which operations need a token. */
export type AccessPolicy = Values['accessPolicy'];

/** Invalid settings. The message has one line for each problem: the setting, its value unless it is secret, and the remedy. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  constructor(readonly problems: readonly string[]) {
    super(`Invalid settings:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}

/**
 * Reads the settings from environment variables. Throws a SettingsError that lists every problem with its remedy. An empty
 * variable counts as absent (contract 27.4).
 */
export const parseSettings = (env: Environment): Settings => {
  const problems: string[] = [];
  const values = readValues(env, problems);
  problems.push(...findConflicts(values, (name) => textOf(env, name)));
  if (problems.length > 0) throw new SettingsError(problems);
  return groupValues(values);
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

/** The maximum number of characters of a value in a message. */
const SHOWN_CHARACTERS = 200;

/** Formats a value for a message, on one line. Replaces a secret value, and the login in any URL. */
const redact = ({ isSecret }: Setting, text: string): string => {
  if (isSecret) return '[redacted]';
  const withoutLogins = text.replace(/\/\/[^/]*@/g, '//[redacted]@');
  return JSON.stringify(withoutLogins.length > SHOWN_CHARACTERS ? `${withoutLogins.slice(0, SHOWN_CHARACTERS)}…` : withoutLogins);
};

/** The default of each setting. */
export const DEFAULTS = readValues({}, []);

/** The URL of a service with default settings, for messages and help. */
export const DEFAULT_URL = `http://${DEFAULTS.host}:${DEFAULTS.port}`;

/** Converts the values to Settings: groups the values of the servers and of the outside issuer. */
const groupValues = (values: Values): Settings => {
  const { oidcIssuer, oidcAudience, oidcJwksUrl, oidcScopeClaim, oidcTenantClaim, consoleClientId, ...others } = values;
  const outsideIssuer =
    oidcIssuer !== undefined && oidcAudience !== undefined
      ? {
          issuer: oidcIssuer,
          audience: oidcAudience,
          ...(oidcJwksUrl !== undefined && { keysUrl: oidcJwksUrl }),
          scopeClaim: oidcScopeClaim,
          tenantClaim: oidcTenantClaim,
          ...(consoleClientId !== undefined && { consoleClientId }),
        }
      : undefined;
  return { ...groupServers(others), ...(outsideIssuer && { outsideIssuer }) };
};

const groupServers = (values: Omit<Values, IssuerValue>): Settings => {
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
    ...otherValues
  } = values;
  const kafkaLogin =
    kafkaUsername !== undefined && kafkaPassword !== undefined
      ? { mechanism: kafkaSaslMechanism, username: kafkaUsername, password: kafkaPassword }
      : undefined;
  // If only some of the three addresses are set, `findConflicts` has already reported the others (contract 27.1).
  const servers =
    eventStoreUrl !== undefined && mongoUrl !== undefined && kafkaBrokers !== undefined
      ? { eventStoreUrl, mongoUrl, kafkaBrokers, namespace, kafkaReplication, kafkaTls, ...(kafkaLogin && { kafkaLogin }) }
      : undefined;
  return { ...otherValues, egressAllow: otherValues.egressAllow ?? defaultEgress(otherValues), ...(servers && { servers }) };
};

/**
 * Returns the default of EGRESS_ALLOW. It allows requests to loopback addresses only if HOST is a loopback address (contract
 * 21.4). In production it never allows them: a proxy on the same machine may forward requests of outside clients, who must not
 * reach loopback addresses.
 */
const defaultEgress = ({ host, nodeEnv }: Pick<Values, 'host' | 'nodeEnv'>): Settings['egressAllow'] =>
  isLoopback(host) && nodeEnv !== 'production' ? 'loopback' : 'none';
