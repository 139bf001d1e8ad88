import { createLocalJWKSet, errors, type CryptoKey, type JWK, type JWTVerifyGetKey } from 'jose';
import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import { ageOf, momentOf, type Moment } from '../../../eventsourcing/scheduling/moment.js';
import { IssuerUnavailable } from '../../../ports/access-token.port.js';
import { createOriginClient, IssuerFault, type OriginClient } from './origin-client.js';

const SECOND = 1_000;
/** Milliseconds after which the keys are read again (contract 33.3). A withdrawn key remains valid until the next read. */
const KEY_LIFETIME = 300 * SECOND;
/**
 * Milliseconds from a failed attempt to read the keys until the next attempt. A token with an unknown key causes an attempt
 * only if the last attempt started at least this long ago.
 */
const RETRY_DELAY = 10 * SECOND;
/** Milliseconds for which keys are used while the issuer cannot be reached (contract 33.4). */
const LONGEST_OUTAGE = 86_400 * SECOND;

/**
 * `current`: the last attempt has read the keys. `old`: the last attempt failed, and the keys of an earlier attempt are in use.
 * `none`: no keys are known.
 */
export type KeysState = 'current' | 'old' | 'none';

/** The dependencies of the keys. */
type IssuerKeysOptions = {
  readonly issuer: string;
  /** The address of the keys. Without it, the discovery document of the issuer names an address on the issuer's origin. */
  readonly keysUrl: string | undefined;
  readonly clock: Clock;
  /** Gets the text of a new fault, and null when the issuer can be reached again. */
  readonly onFault: (fault: string | null) => void;
  /** Called when the keys have changed. Tokens that were verified with the former keys must be verified again. */
  readonly onChange: () => void;
};

/**
 * A set of keys. `text` is the JSON text of the set, which shows whether the keys have changed. `readAt` is the moment at which
 * the set was read.
 */
type KnownKeys = { readonly find: JWTVerifyGetKey; readonly text: string; readonly readAt: Moment };

/** The public keys of an issuer. They are read at once, then every five minutes, and when a token names an unknown key. */
export class IssuerKeys {
  private readonly client: OriginClient;
  private cached: KnownKeys | null = null;
  private fault: string | null = null;
  private attemptedAt: Moment | null = null;
  private attempt: Promise<void> | null = null;
  private cancelNext = (): void => undefined;
  private isClosed = false;

  constructor(private readonly options: IssuerKeysOptions) {
    this.client = createOriginClient(new URL(options.keysUrl ?? options.issuer).origin, options.clock);
    void this.read();
  }

  /** Returns whether keys are known. Keys that were read LONGEST_OUTAGE ago or earlier do not count. */
  areKnown(): boolean {
    return this.cached !== null && ageOf(this.cached.readAt, this.options.clock) < LONGEST_OUTAGE;
  }

  state(): KeysState {
    if (!this.areKnown()) return 'none';
    return this.fault === null ? 'current' : 'old';
  }

  /** Waits for an attempt that is under way. Rejects with IssuerUnavailable if no keys are known after the attempt. */
  async waitUntilKnown(): Promise<void> {
    await this.attempt;
    if (!this.areKnown()) throw new IssuerUnavailable();
  }

  /**
   * Finds the key of a token, in the form of a function that jose's `jwtVerify` accepts. If the key is unknown, reads the
   * keys again.
   */
  readonly find: JWTVerifyGetKey = async (header, token): Promise<CryptoKey> => {
    try {
      return await this.findKnown(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !(await this.readForUnknownKey())) throw error;
      return this.findKnown(header, token);
    }
  };

  close(): void {
    this.isClosed = true;
    this.cancelNext();
  }

  private async findKnown(...[header, token]: Parameters<JWTVerifyGetKey>): Promise<CryptoKey> {
    if (!this.cached) throw new IssuerUnavailable();
    return (await this.cached.find(header, token)) as CryptoKey;
  }

  /**
   * If an attempt is under way, waits for it. Otherwise reads the keys, unless the last attempt started less than
   * RETRY_DELAY ago. Without this limit, anyone could make the service call the issuer constantly, with tokens that name
   * unknown keys. Returns whether the keys were read.
   */
  private async readForUnknownKey(): Promise<boolean> {
    if (!this.attempt && this.attemptedAt && ageOf(this.attemptedAt, this.options.clock) < RETRY_DELAY) return false;
    await this.read();
    return this.fault === null;
  }

  /** Reads the keys and schedules the next attempt. Concurrent calls share one attempt. */
  private read(): Promise<void> {
    this.attempt ??= this.readAndSchedule().finally(() => (this.attempt = null));
    return this.attempt;
  }

  private async readAndSchedule(): Promise<void> {
    const { clock, onFault } = this.options;
    this.cancelNext();
    this.attemptedAt = momentOf(clock);
    const fault = await this.readKeys().then(() => null, faultText);
    if (this.isClosed) return;
    if (fault !== this.fault) onFault(fault);
    this.fault = fault;
    this.cancelNext = clock.after(fault === null ? KEY_LIFETIME : RETRY_DELAY, () => void this.read());
  }

  private async readKeys(): Promise<void> {
    const set = await this.client.readObject(await this.readKeysUrl());
    const keys = { find: localKeys(set), text: JSON.stringify(set), readAt: momentOf(this.options.clock) };
    const isChanged = this.cached?.text !== keys.text;
    this.cached = keys;
    if (isChanged) this.options.onChange();
  }

  /** Returns the setting, or the address in the issuer's discovery document (OpenID Connect Discovery 1.0, 4). */
  private async readKeysUrl(): Promise<URL> {
    const { issuer, keysUrl: configuredUrl } = this.options;
    if (configuredUrl !== undefined) return new URL(configuredUrl);
    const url = new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    const document = await this.client.readObject(url);
    if (document['issuer'] !== issuer) throw new IssuerFault(`${url.href}: the property issuer is not ${issuer}`);
    const keysUrl = document['jwks_uri'];
    if (typeof keysUrl !== 'string' || !URL.canParse(keysUrl)) throw new IssuerFault(`${url.href}: the property jwks_uri is not a URL`);
    return new URL(keysUrl);
  }
}

/** Returns a function that finds the keys of a set. An entry that is no key does not prevent the use of the others. */
const localKeys = ({ keys }: Readonly<Record<string, unknown>>): JWTVerifyGetKey => {
  const objects = Array.isArray(keys)
    ? keys.filter((key): key is JWK => typeof key === 'object' && key !== null && !Array.isArray(key))
    : [];
  if (!Array.isArray(keys) || (objects.length === 0 && keys.length > 0))
    throw new IssuerFault('the document at jwks_uri is not a set of JSON web keys');
  return createLocalJWKSet({ keys: objects.map(withoutAlgorithm) });
};

/** `EdDSA` and `Ed25519` (RFC 9864) are two names of one algorithm. jose would use a key for the name in its `alg` alone. */
const withoutAlgorithm = ({ alg, ...key }: JWK): JWK => (key.crv === 'Ed25519' || alg === undefined ? key : { ...key, alg });

/** Returns the text of a fault for the log. The issuer chooses a part of the text, so it is cut to 300 characters. */
const faultText = (error: unknown): string => (error instanceof IssuerFault ? error.message : String(error)).slice(0, 300);
