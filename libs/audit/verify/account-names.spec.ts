import { describe, expect, it } from '@jest/globals';
import type { StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { AccountNames } from './verify-log.js';

const event = (stream: string, type: string, data: object | string): StoredEvent => ({
  ...{ id: 'event', stream, type, revision: 0, position: 1, metadata: '{}' },
  data: typeof data === 'string' ? data : JSON.stringify(data),
});
const registered = (stream: string, usernameDigest: string, emailDigest: string): StoredEvent =>
  event(stream, 'UserRegistered', { usernameDigest, emailDigest });

const faultsOf = (...events: readonly StoredEvent[]) => {
  const names = new AccountNames();
  for (const each of events) names.add(each);
  return [...names.faults()];
};

/** Proves contract 35.4. */
describe('the names of accounts in a log', () => {
  const ann = registered('user-ann', 'ann', 'ann@');

  it('are no fault if they differ', () => expect(faultsOf(ann, registered('user-bob', 'bob', 'bob@'))).toEqual([]));

  it.each([
    ['username', registered('user-bob', 'ann', 'bob@')],
    ['email', registered('user-bob', 'bob', 'ann@')],
  ])('are a fault if two accounts have the same %s', (_, bob) =>
    expect(faultsOf(ann, bob)).toEqual([{ kind: 'claim', stream: 'user-bob', reason: 'user-ann and user-bob have the same name' }]),
  );

  it('can be taken by another account after a change or an erasure', () => {
    const revised = event('user-ann', 'UserRevised', { usernameDigest: 'anna', emailDigest: 'anna@' });
    expect(faultsOf(ann, revised, registered('user-bob', 'ann', 'ann@'))).toEqual([]);
    expect(faultsOf(ann, event('user-ann', 'UserErased', {}), registered('user-bob', 'ann', 'ann@'))).toEqual([]);
  });

  it('are a fault if an account changes its name to the name of another account', () =>
    expect(faultsOf(ann, registered('user-bob', 'bob', 'bob@'), event('user-bob', 'UserRevised', { usernameDigest: 'ann' }))).toHaveLength(
      1,
    ));

  it('are ignored in unreadable events and in events of other types', () =>
    expect(faultsOf(ann, event('user-bob', 'UserRegistered', 'no JSON'), event('user-x', 'Other', { usernameDigest: 'ann' }))).toEqual([]));
});
