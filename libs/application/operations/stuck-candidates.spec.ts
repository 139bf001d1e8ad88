import { describe, expect, it } from '@jest/globals';
import type { StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { unfinishedIn } from './stuck-candidates.js';

const MINUTE = 60_000;
const HOLDS = { order: 30 * MINUTE, adoption: 45 * MINUTE };
const NOW = Date.parse('2026-01-02T03:00:00.000Z');

type Given = readonly [stream: string, type: string, data?: object, minutesAgo?: number];
type Names = { readonly orders?: readonly string[]; readonly adoptions?: readonly string[]; readonly pets?: readonly string[] };
type Expected = Names & { readonly claims?: readonly string[] };

const stored = ([stream, type, data = {}, minutesAgo = 0]: Given, nth: number): StoredEvent => ({
  ...{ id: `event-${nth}`, stream, revision: 0, position: nth + 1, type },
  data: JSON.stringify(data),
  metadata: JSON.stringify({ time: new Date(NOW - minutesAgo * MINUTE).toISOString() }),
});

const candidatesOf = (events: readonly StoredEvent[]): Required<Expected> => {
  const { orders, adoptions, pets, claims } = unfinishedIn(events, HOLDS, new Date(NOW));
  return { orders: [...orders], adoptions: [...adoptions], pets: [...pets], claims: [...claims] };
};

const NOTHING = { orders: [], adoptions: [], pets: [], claims: [] };
const holder = { kind: 'order', id: 'o1' };
const reserved: Given = ['pet-p1', 'PetReserved', { holder }];
const released: Given = ['pet-p1', 'PetReleased', { holder }];
const adopted: Given = ['pet-p1', 'PetAdopted', { holder }];
const held: Given = ['pet-p1', 'PetHeldForAdoption', { adoptionIds: ['a1', 'a2'] }];
const placed = (minutesAgo = 0): Given => ['order-o1', 'OrderPlaced', { petId: 'p1' }, minutesAgo];
const started: Given = ['order-o1', 'OrderPaymentStarted', { paymentId: 'y1' }];
const failed: Given = ['order-o1', 'OrderPaymentFailed', { paymentId: 'y1' }];
const approved: Given = ['order-o1', 'OrderApproved', { paymentId: 'y1' }];
const cancelled = (paymentId?: string): Given => ['order-o1', 'OrderCancelled', { petId: 'p1', paymentId }];
const submitted = (minutesAgo = 0): Given => ['adoption-a1', 'AdoptionSubmitted', { petId: 'p1' }, minutesAgo];
const ofAdoption = (type: string): Given => ['adoption-a1', type, { petId: 'p1' }];
const username: Given = ['username-d1', 'UsernameClaimed', { holder: 'u1' }];
const email: Given = ['email-d2', 'EmailClaimed', { holder: 'u1' }];

const ORDER = { orders: ['o1'] };
const ADOPTION = { adoptions: ['a1'] };

describe('events leave unfinished', () => {
  it.each<[string, readonly Given[], Expected]>([
    ['a reservation without its order', [reserved], { pets: ['p1'] }],
    ['a payment that was started', [placed(), started], ORDER],
    ['an approval whose pet is not adopted', [placed(), started, approved], ORDER],
    ['a cancellation whose pet is not released', [placed(), cancelled()], ORDER],
    ['a cancellation that is not refunded, although its pet is released', [placed(), cancelled('y1'), released], ORDER],
    ['an order whose hold is over', [placed(30)], ORDER],
    ['an order whose hold is over, and whose payment has failed', [placed(30), started, failed], ORDER],
    ['the next payment after a failed one', [placed(), started, failed, started], ORDER],
    ['an application without its hold', [submitted()], ADOPTION],
    ['an application whose hold is over', [submitted(45), held], ADOPTION],
    ['an approval that has begun', [submitted(), held, ofAdoption('AdoptionApprovalStarted')], ADOPTION],
    ['a rejection, whose pet may be held', [submitted(), held, ofAdoption('AdoptionRejected')], ADOPTION],
    ['a withdrawal, whose pet may be held', [submitted(), held, ofAdoption('AdoptionWithdrawn')], ADOPTION],
    ['an expiry, whose pet may be held', [submitted(), held, ofAdoption('AdoptionExpired')], ADOPTION],
    ['claims that no account uses', [username, email], { claims: ['username-d1', 'email-d2'] }],
    [
      'a claim of an account that uses another name',
      [username, ['user-u1', 'UserRegistered', { usernameDigest: 'd9', emailDigest: 'd8' }]],
      { claims: ['username-d1'] },
    ],
  ])('%s', (_, events, expected) => expect(candidatesOf(events.map(stored))).toEqual({ ...NOTHING, ...expected }));
});

describe('events leave nothing unfinished', () => {
  it.each<[string, readonly Given[]]>([
    ['of which there are none', []],
    ['of a pet', [['pet-p1', 'PetListed']]],
    ['of a reservation whose order is placed', [reserved, placed()]],
    ['of a reservation that is released', [reserved, released]],
    ['of an order that is not due yet', [placed(29)]],
    ['of a payment that has failed', [placed(), started, failed]],
    ['of an order that is approved and adopted', [placed(30), started, approved, adopted]],
    ['of an order that is approved and released', [placed(), started, approved, released]],
    ['of an order that is cancelled and released', [placed(30), started, cancelled(), released]],
    ['of an order whose refund its payment has', [placed(), cancelled('y1'), released, ['payment-y1', 'PaymentRefunded', {}]]],
    ['of an order that knows its refund', [placed(), cancelled('y1'), released, ['order-o1', 'OrderPaymentRefunded', { paymentId: 'y1' }]]],
    ['of an order whose payment failed after all', [placed(), cancelled('y1'), released, ['payment-y1', 'PaymentFailed', {}]]],
    ['of a cancelled order whose approved pet is released', [started, approved, cancelled(), released]],
    ['of an application that holds its pet', [submitted(44), held]],
    ['of an application that is approved', [submitted(45), held, ofAdoption('AdoptionApprovalStarted'), ofAdoption('AdoptionApproved')]],
    ['of an application that gets its pet', [submitted(), ['pet-p1', 'PetAdoptedByApplication', { adoptionId: 'a1', otherIds: [] }]]],
    ['of claims that an account uses', [username, email, ['user-u1', 'UserRegistered', { usernameDigest: 'd1', emailDigest: 'd2' }]]],
    ['of claims that a changed account uses', [username, email, ['user-u1', 'UserRevised', { usernameDigest: 'd1', emailDigest: 'd2' }]]],
    ['of claims that were freed', [username, email, ['username-d1', 'UsernameFreed'], ['email-d2', 'EmailFreed']]],
    ['of categories without steps', [['security-2026-01-02', 'OrderPaymentStarted', {}]]],
  ])('%s', (_, events) => expect(candidatesOf(events.map(stored))).toEqual(NOTHING));
});

describe('an altered event', () => {
  it('that is no JSON is passed over', () => {
    const events = [reserved, placed(), started].map(stored);
    const altered = events.map((event) => (event.type === 'OrderPlaced' ? { ...event, data: '{' } : event));
    expect(candidatesOf(altered)).toEqual({ ...NOTHING, orders: ['o1'], pets: ['p1'] });
  });

  it('without a time is not due', () => {
    const events = [placed(30), submitted(45), held].map(stored).map((event) => ({ ...event, metadata: '{' }));
    expect(candidatesOf(events)).toEqual(NOTHING);
  });
});
