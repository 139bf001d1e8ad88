import { describe, it } from '@jest/globals';
import { specification } from '../../eventsourcing/testing/specification.js';
import type { UserId } from '../ids.js';
import { emailDecider, usernameDecider } from './name-claim.decider.js';

const name = specification(usernameDecider);
const [ann, bob] = ['0190-1', '0190-2'] as readonly string[] as readonly [UserId, UserId];
const claimed = (userId: UserId) => ({ type: 'UsernameClaimed', data: { userId } }) as const;
const freed = (userId: UserId, ...claims: readonly number[]) => ({ type: 'UsernameFreed', data: { userId, claims } }) as const;
/** As an earlier version recorded it. */
const freedAll = (userId: UserId) => ({ type: 'UsernameFreed', data: { userId, claims: null } }) as const;
const claim = (userId: UserId, lapsed?: readonly number[]) => ({ type: 'ClaimName', data: { userId, ...(lapsed && { lapsed }) } }) as const;
const free = (userId: UserId, ...claims: readonly number[]) => ({ type: 'FreeName', data: { userId, claims } }) as const;

describe('claiming a name', () => {
  it('is recorded for a name that nobody has claimed', () => name.given().when(claim(ann)).then(claimed(ann)));
  it('is rejected while another account holds the name', () => name.given(claimed(bob)).when(claim(ann)).thenRejected('name_taken'));
  it('is recorded again for each request of its holder', () => name.given(claimed(ann)).when(claim(ann)).then(claimed(ann)));
  it('is recorded for a freed name', () => name.given(claimed(bob), freed(bob, 0)).when(claim(ann)).then(claimed(ann)));
  it('is recorded for a name that an earlier version freed', () =>
    name.given(claimed(bob), claimed(bob), freedAll(bob)).when(claim(ann)).then(claimed(ann)));
  it('is rejected while one claim of another account remains', () =>
    name.given(claimed(bob), claimed(bob), freed(bob, 1)).when(claim(ann)).thenRejected('name_taken'));
  it('is recorded if the claims of its holder have lapsed', () =>
    name
      .given(claimed(bob), claimed(bob))
      .when(claim(ann, [0, 1]))
      .then(claimed(ann)));
  it('is rejected if another account has taken the lapsed name over', () =>
    name
      .given(claimed(bob), claimed('0190-3' as UserId))
      .when(claim(ann, [0]))
      .thenRejected('name_taken'));
  it('is rejected if the holder has claimed the name again after its claim lapsed', () =>
    name
      .given(claimed(bob), claimed(bob))
      .when(claim(ann, [0]))
      .thenRejected('name_taken'));
  it('is recorded as EmailClaimed for an email address', () =>
    specification(emailDecider)
      .given()
      .when(claim(ann))
      .then({ type: 'EmailClaimed', data: { userId: ann } }));
});

describe('freeing a name', () => {
  it('is recorded for a claim of its holder', () => name.given(claimed(ann)).when(free(ann, 0)).then(freed(ann, 0)));
  it('ends only the claims that are named, in whatever order they were made', () =>
    name
      .given(claimed(ann), claimed(ann), claimed(ann))
      .when(free(ann, 0, 2))
      .then(freed(ann, 0, 2)));
  it('records nothing for a claim that has ended', () =>
    name.given(claimed(ann), claimed(ann), freed(ann, 0)).when(free(ann, 0)).thenNothing());
  it('records nothing for a claim of a former holder', () => name.given(claimed(bob), claimed(ann)).when(free(ann, 0)).thenNothing());
  it('records nothing for another account', () => name.given(claimed(bob)).when(free(ann, 0)).thenNothing());
  it('records nothing for a free name', () => name.given(claimed(ann), freed(ann, 0)).when(free(ann, 0)).thenNothing());
});
