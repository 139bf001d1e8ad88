import { beforeEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import { manualClock, type ManualClock } from '../../eventsourcing/testing/manual-clock.js';
import { RevocationsUnavailable, type TokenClaims } from '../../ports/access-token.port.js';
import type { VerifiedLog } from '../../runtime/codec/verified-history.js';
import { MAX_REVOCATIONS_AGE, rejectEndedTokens, Revocations } from './revocations.js';

const OPERATOR: TokenClaims = { subject: 'operator', scopes: new Set() };
const ACCOUNT: TokenClaims = { ...OPERATOR, subject: 'ann', signIn: { sessionId: 'session-1', accountRevision: 0 } };

/** Proves contract 30.10. */
describe('a process that cannot read which tokens have ended', () => {
  let clock: ManualClock;
  let isReachable: boolean;
  let revocations: Revocations;
  beforeEach(async () => {
    clock = manualClock();
    isReachable = true;
    const readStream = () => (isReachable ? Promise.resolve([]) : Promise.reject(new StoreUnavailable('cut off')));
    revocations = new Revocations({ store: { readStream } } as unknown as VerifiedLog, clock, MAX_REVOCATIONS_AGE);
    await revocations.refresh();
    isReachable = false;
  });

  const verify = async (claims: TokenClaims) => rejectEndedTokens({ verify: () => claims }, revocations).verify('token');
  const refreshAfter = async (milliseconds: number): Promise<void> => {
    clock.skip(milliseconds);
    await revocations.refresh().catch(() => undefined);
  };

  it('accepts the tokens of accounts for 30 s, and then rejects with RevocationsUnavailable', async () => {
    await refreshAfter(30_000);
    expect(await verify(ACCOUNT)).toBe(ACCOUNT);
    await refreshAfter(1);
    await expect(verify(ACCOUNT)).rejects.toThrow(RevocationsUnavailable);
  });

  it('accepts the tokens that operators made, because they end only by their expiry', async () => {
    await refreshAfter(60_000);
    expect(await verify(OPERATOR)).toBe(OPERATOR);
  });

  it('accepts the tokens of accounts again after it has read', async () => {
    await refreshAfter(60_000);
    isReachable = true;
    await refreshAfter(0);
    expect(await verify(ACCOUNT)).toBe(ACCOUNT);
  });
});
