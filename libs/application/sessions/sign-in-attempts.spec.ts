import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Documents, DocumentWrite, StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import { manualClock, type ManualClock } from '../../eventsourcing/testing/manual-clock.js';
import { SignInAttempts, type SignInAttempt } from './sign-in-attempts.js';

const DAY = 86_400_000;

/** Proves contract 30.7. */
describe('the attempts to sign in to an account', () => {
  let clock: ManualClock;
  let attempts: SignInAttempts;
  let writes: number;
  beforeEach(() => {
    const stored = new Map<string, StoredDocument>();
    const put = (write: DocumentWrite): boolean => {
      if (write.kind !== 'put' || (stored.get(write.document.key)?.revision ?? 'none') !== write.expected) return false;
      stored.set(write.document.key, write.document);
      writes++;
      return true;
    };
    const documents: Pick<Documents, 'get' | 'apply'> = {
      get: async (_, key) => stored.get(key) ?? null,
      apply: async ([write]) => write !== undefined && put(write),
    };
    clock = manualClock();
    attempts = new SignInAttempts(documents as Documents, clock);
    writes = 0;
  });

  const begin = async (network: string): Promise<SignInAttempt> => {
    const attempt = await attempts.begin('ann', network);
    if (typeof attempt === 'number') throw new Error(`must wait ${attempt} s`);
    return attempt;
  };

  it('count before the password is checked, so that concurrent guesses do not pass together', async () => {
    const begun = await Promise.all(Array.from({ length: 20 }, () => attempts.begin('ann', 'away')));
    expect(begun.filter((attempt) => typeof attempt === 'number')).toHaveLength(15);
  });

  it('are taken back by their success', async () => {
    for (let nth = 0; nth < 20; nth++) await (await begin(`network ${nth}`)).succeed();
    expect(typeof (await attempts.begin('ann', 'another network'))).toBe('object');
  });

  it('write nothing from the network of a sign-in, but once a day', async () => {
    await (await begin('home')).succeed();
    writes = 0;
    for (let nth = 0; nth < 20; nth++) await (await begin('home')).succeed();
    expect(writes).toBe(0);
    clock.skip(DAY);
    await (await begin('home')).succeed();
    expect(writes).toBe(1);
  });

  it('from the network of a sign-in count when their password was wrong', async () => {
    await (await begin('home')).succeed();
    for (let nth = 0; nth < 5; nth++) await (await begin('home')).fail();
    expect(await attempts.begin('ann', 'home')).toBe(1);
    clock.skip(1_000);
    await (await begin('home')).succeed();
    expect(typeof (await attempts.begin('ann', 'home'))).toBe('object');
  });
});
