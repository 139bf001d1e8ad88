/**
 * The issuer (`iss`) of tokens that are signed where the service has no address: by a command on a stopped store, and in a cluster
 * without PUBLIC_URL. The service always accepts it: the signature proves that a key of this store signed (contract 5.2).
 */
export const LOCAL_ISSUER = 'petstore';

/** The OAuth client of the console (contract 43.11). Every service has it, and nobody registers it. */
export const CONSOLE_CLIENT_ID = 'console';

/** Returns whether a subject is that of a program. Only tokens of the client that `reservedFor` returns have it (contract 32.9). */
export const isProgramSubject = (subject: string): boolean => reservedFor(subject) !== null;

/**
 * Returns the only client whose tokens may have a subject, or null if any token may have it. A user of this machine (`cli:`) acts in the
 * console or on /docs, after a one-time link.
 */
export const reservedFor = (subject: string): string | null => {
  if (subject.startsWith('client:')) return subject.slice('client:'.length);
  return subject.startsWith('cli:') ? CONSOLE_CLIENT_ID : null;
};

/** The claims of an access token: the caller's identity and permissions. */
export type TokenClaims = {
  readonly subject: string;
  readonly scopes: ReadonlySet<string>;
  /** The tenant that the token is bound to, in lower case; absent for an unbound token. */
  readonly tenant?: string;
  /** The sign-in that the token was issued for; absent for a token that an operator made. */
  readonly signIn?: SignIn;
  /** The only adoption application that the token gives access to; absent for every other token (contract 36.7). */
  readonly adoptionId?: string;
  /** The OAuth client that acts for the subject; absent for a token of the subject itself. */
  readonly client?: string;
};

/** A sign-in to an account. A token of the sign-in becomes invalid when the session ends (contract 30.10). */
export type SignIn = {
  readonly sessionId: string;
  /** The revision of the account's stream at the sign-in. Some later events, such as a new password, end the sign-in's tokens. */
  readonly accountRevision: number;
};

/**
 * What a token gives: its claims, or null for a text that is no valid token of this service. `foreign issuer` is a token that is
 * valid but for its issuer, for example after PUBLIC_URL was changed. `foreign key` is a text in the form of a token that names a
 * key which this store does not have: a token of another store, or of a removed key.
 */
export type VerifiedClaims = TokenClaims | ForeignToken | null;
export type ForeignToken = 'foreign issuer' | 'foreign key';

/** Verifies access tokens. */
export interface TokenVerifier {
  /**
   * Rejects only with IssuerUnavailable, RevocationsUnavailable or, for a token of an adoption application, StoreUnavailable.
   */
  verify(token: string): VerifiedClaims | Promise<VerifiedClaims>;
}

/** Thrown while the service cannot get the key that a token names, and so cannot decide whether the token is valid. */
export class IssuerUnavailable extends Error {
  override readonly name = 'IssuerUnavailable';
}

/** Thrown while the service cannot read which tokens have ended, and so cannot decide whether the token of a sign-in is valid. */
export class RevocationsUnavailable extends Error {
  override readonly name = 'RevocationsUnavailable';
}

/** The sign-in that an ID token is about. `sessionId` is absent in ID tokens of earlier versions. */
export type IdTokenClaims = { readonly subject: string; readonly client: string; readonly sessionId?: string };

/** Reads ID tokens that clients send back, for example to sign a person out. */
export interface IdTokenReader {
  /**
   * Returns the claims of an ID token that a key of this store has signed, also of an expired one. `issuer` is its issuer. Those of access
   * tokens are accepted, too. Returns null for any other text.
   */
  readIdToken(token: string, issuer: string): Promise<IdTokenClaims | null>;
}

/** The claims and lifetime of a new token. */
export type TokenInput = {
  readonly subject: string;
  readonly scopes: Iterable<string>;
  readonly tenant?: string;
  readonly signIn?: SignIn;
  /** The OAuth client that acts for the subject. */
  readonly client?: string;
  readonly expiresInSeconds: number;
};

/** Issues access tokens. */
export interface TokenSigner {
  /** Issues a token that `TokenVerifier.verify` accepts until it expires. */
  sign(input: TokenInput): Promise<string>;
  /** Returns the issuer of the tokens that are signed now. */
  issuer(): string;
}
