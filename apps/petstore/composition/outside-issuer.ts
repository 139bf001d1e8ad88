import { openOutsideIssuer, type TokenKeys, type Tokens } from '../../../libs/adapters/tokens/index.js';
import { rejectEndedTokens, type Revocations } from '../../../libs/application/sessions/revocations.js';
import { acceptManageTokens, ManageTokens } from '../../../libs/application/adoptions/manage-tokens.js';
import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';
import type { Documents } from '../../../libs/eventsourcing/ports/documents.port.js';
import type { KeyVault } from '../../../libs/eventsourcing/ports/key-vault.port.js';
import type { TokenVerifier } from '../../../libs/ports/access-token.port.js';
import type { Settings } from '../../../libs/settings/settings.js';
import type { ReadinessCheck } from '../../api/health/readiness.js';
import type { Log } from '../logging/log.js';
import { tokensWith, withoutEnded } from './tokens.js';

type TokenDependencies = {
  readonly signingKeys: TokenKeys;
  readonly revocations: Revocations;
  readonly documents: Documents;
  readonly keys: KeyVault;
  readonly clock: Clock;
};

/**
 * The signer and verifier of the access tokens of a process. `health` has the check of the outside issuer, and is empty
 * without an outside issuer.
 */
type AcceptedTokens = { readonly tokens: Tokens; readonly health: readonly ReadinessCheck[]; close(): void };

/**
 * Accepts the tokens that the store's keys sign, those of applications, and those of an outside issuer if the settings name one
 * (contract 33.1, 36.7). `ownIssuer` returns the issuer of new tokens.
 */
export const acceptTokens = (
  { signingKeys, revocations, documents, keys, clock }: TokenDependencies,
  { outsideIssuer }: Pick<Settings, 'outsideIssuer'>,
  log: Log,
  ownIssuer: () => string,
): AcceptedTokens => {
  const own = withoutEnded(tokensWith(signingKeys, clock, ownIssuer), revocations);
  const withManageTokens = (verifier: TokenVerifier): Tokens => ({
    sign: (input) => own.sign(input),
    issuer: ownIssuer,
    readIdToken: (token, issuer) => own.readIdToken(token, issuer),
    ...acceptManageTokens(verifier, new ManageTokens(documents, keys)),
  });
  if (!outsideIssuer) return { tokens: withManageTokens(own), health: [], close: () => undefined };
  const { issuer } = outsideIssuer;
  const onFault = (fault: string | null): void => {
    if (fault === null) log.info({ issuer }, 'the keys of the token issuer can be read again');
    else log.warn({ issuer, fault }, 'the keys of the token issuer cannot be read; the keys from the last successful read are used');
  };
  // With an outside issuer, sign-in is off, so this verifier rejects the tokens of earlier sign-ins. Tokens of
  // `petstore token` belong to no sign-in and stay valid (contract 33.1).
  const operators = rejectEndedTokens(own, { isEnded: ({ signIn }) => signIn !== undefined });
  const onRejected = onceAMinute(clock, (reason, count) => log.warn({ issuer, reason, count }, 'tokens of the token issuer were rejected'));
  const verifier = openOutsideIssuer({ ...outsideIssuer, clock, fallback: operators, onFault, onRejected });
  return {
    tokens: withManageTokens(verifier),
    // A process without the issuer's keys is ready: public reads and the store's own tokens still work (contract 33.4).
    health: [{ name: 'issuer', check: () => ({ ready: true, details: { keys: verifier.keysState() } }) }],
    close: () => verifier.close(),
  };
};

/**
 * Returns a function that reports a reason at once, and then at most once a minute, with the number of its occurrences since the last
 * report. Anyone can send tokens, so a line for each would fill the log.
 */
const onceAMinute = (clock: Clock, report: (reason: string, count: number) => void): ((reason: string) => void) => {
  const reasons = new Map<string, { count: number; reportedAt: number }>();
  return (reason) => {
    const seen = reasons.get(reason) ?? { count: 0, reportedAt: -Infinity };
    reasons.set(reason, seen);
    seen.count++;
    if (clock.elapsed() - seen.reportedAt < 60_000) return;
    report(reason, seen.count);
    Object.assign(seen, { count: 0, reportedAt: clock.elapsed() });
  };
};
