import { describe, expect, it } from '@jest/globals';
import type { UserId } from '../../../domain/ids.js';
import type { StoredEvent } from '../../../eventsourcing/ports/event-store.port.js';
import type { KeyVault } from '../../../eventsourcing/ports/key-vault.port.js';
import { createNameDigests, type PlainNames } from './name-digests.js';
import { findOutdatedNames } from './outdated-names.js';

const keys = { serviceKey: async () => Buffer.alloc(32, 1) } as unknown as KeyVault;
const digests = await createNameDigests(keys);

type Names = PlainNames & { readonly usernameDigest: string; readonly emailDigest: string };

/** The event of an account whose digests are those of `claimed`. */
const event = (position: number, userId: string, type: string, names: PlainNames, claimed: PlainNames = names): StoredEvent => {
  const data = JSON.stringify({ ...names, ...digests.of('t1', claimed) } satisfies Names);
  const metadata = JSON.stringify({ tenant: 't1' });
  return { id: `e${position}`, stream: `user-${userId}`, revision: 0, position, type, data, metadata };
};
const named = (username: string): PlainNames => ({ username, email: 'ann@example.com' });

const find = (events: readonly StoredEvent[], holders: Readonly<Record<string, string>> = {}) =>
  findOutdatedNames({
    log: { readAll: async (after, limit) => events.filter(({ position }) => position > after).slice(0, limit) },
    keys,
    digests,
    holderOf: async (_, digest) => (holders[digest] ?? null) as UserId | null,
  });

/** Proves contract 30.2: what a start after an update reports. */
describe('the search for names of an older form', () => {
  const older = event(1, 'u1', 'UserRegistered', named('GROẞ1'), named('older form'));

  it('finds none if every account claimed its names in the current form', async () => {
    expect(await find([event(1, 'u1', 'UserRegistered', named('GROẞ1'))])).toEqual([]);
  });

  it('finds an account whose name another account has in the current form', async () => {
    const holders = { [digests.username('t1', 'groß1')]: 'u2' };
    expect(await find([older], holders)).toMatchObject([{ userId: 'u1', sameAs: 'u2' }]);
  });

  it('finds two accounts that both claimed the name in an older form', async () => {
    const other = event(2, 'u2', 'UserRevised', named('gross1'), named('another older form'));
    expect(await find([older, other])).toMatchObject([
      { userId: 'u1', sameAs: 'u2' },
      { userId: 'u2', sameAs: 'u1' },
    ]);
  });

  it('finds an account whose name nobody else has', async () => {
    expect(await find([older])).toEqual([{ userId: 'u1', tenant: 't1', names: named('GROẞ1'), sameAs: null }]);
  });

  it.each([
    ['has changed its name', event(2, 'u1', 'UserRevised', named('ann'))],
    ['is erased', event(2, 'u1', 'UserErased', named('GROẞ1'), named('older form'))],
  ])('finds no account that %s', async (_, later) => expect(await find([older, later])).toEqual([]));
});
