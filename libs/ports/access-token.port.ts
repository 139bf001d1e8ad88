/** The claims of an access token: the caller's identity and permissions. */
export type TokenClaims = {
  readonly subject: string;
  readonly scopes: ReadonlySet<string>;
  /** The tenant that the token is bound to, in lower case; absent for an unbound token. */
  readonly tenant?: string;
};

/** Verifies access tokens. */
export interface TokenVerifier {
  /**
   * Returns the claims of a valid token issued for this service, and null for any other text. Never rejects.
   */
  verify(token: string): TokenClaims | null | Promise<TokenClaims | null>;
}

/** The claims and lifetime of a new token. */
export type TokenInput = {
  readonly subject: string;
  readonly scopes: Iterable<string>;
  readonly tenant?: string;
  readonly expiresInSeconds: number;
};

/** Issues access tokens. */
export interface TokenSigner {
  /** Issues a token that `TokenVerifier.verify` accepts until it expires. */
  sign(input: TokenInput): Promise<string>;
}
