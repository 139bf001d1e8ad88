import { systemClock } from '../../../libs/adapters/system/index.js';
import { createTokens, openSigningKeys, type TokenKeys, type Tokens } from '../../../libs/adapters/tokens/index.js';
import { rejectEndedTokens, type Revocations } from '../../../libs/application/sessions/revocations.js';
import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';
import type { KeyVault, ServiceKeyList } from '../../../libs/eventsourcing/ports/key-vault.port.js';

/**
 * Creates the signer and verifier of access tokens with the keys of a store. `issuer` returns the issuer of the tokens (contract 5.2).
 */
export const tokensWith = (keys: TokenKeys, clock: Clock, issuer?: () => string): Tokens => createTokens({ keys, issuer, clock });

/** Creates the signer and verifier of access tokens with the keys in a vault. Creates the first key if the vault has none. */
export const openTokens = async (vault: KeyVault & ServiceKeyList, clock: Clock = systemClock, issuer?: () => string): Promise<Tokens> =>
  tokensWith(await openSigningKeys({ vault, clock }), clock, issuer);

/** Returns a signer and verifier that also rejects ended tokens (contract 30.10), for a process that answers requests. */
export const withoutEnded = (tokens: Tokens, revocations: Revocations): Tokens => ({
  sign: (input) => tokens.sign(input),
  issuer: () => tokens.issuer(),
  readIdToken: (token, issuer) => tokens.readIdToken(token, issuer),
  ...rejectEndedTokens(tokens, revocations),
});
