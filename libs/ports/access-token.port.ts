/** Who a caller is and what they may do, as their token says. */
export type TokenClaims = {
  readonly subject: string;
  readonly scopes: ReadonlySet<string>;
  /** The tenant the token is bound to (lower case); absent when it is bound to none. */
  readonly tenant?: string;
};

/** Tells a genuine access token from anything else. */
export interface TokenVerifier {
  /** The claims of a token that is genuine, meant for this service and valid now; null for every other text. Never rejects. */
  verify(token: string): TokenClaims | null | Promise<TokenClaims | null>;
}

/** What a new token is to say. */
export type TokenWish = {
  readonly subject: string;
  readonly scopes: Iterable<string>;
  readonly tenant?: string;
  readonly expiresInSeconds: number;
};

/** Makes access tokens. */
export interface TokenSigner {
  /** A token that `TokenVerifier.verify` accepts from now on until it expires. */
  sign(wish: TokenWish): Promise<string>;
}
