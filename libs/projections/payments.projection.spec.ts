import { describe, expect, it } from '@jest/globals';
import type { OrderId } from '../domain/ids.js';
import type { MaskedSource } from '../domain/payment-terms.js';
import type { PaymentEvent } from '../domain/payments/payment.events.js';
import { foldProjection } from '../eventsourcing/testing/fold-projection.js';
import type { GivenEvent } from '../eventsourcing/testing/recorded.js';
import { paymentsProjection } from './payments.projection.js';

const orderId = '0190-1' as OrderId;
const at = (second: number) => ({ time: `2026-01-02T03:04:0${second}.000Z` });
const sealed = (value: string) => ({ $sealed: value, subject: 'payment:1' });
const card: MaskedSource = {
  addressPostCode: sealed('f'),
  addressLine1: sealed('b'),
  addressLine2: sealed('c'),
  addressCity: sealed('d'),
  addressCountry: sealed('e'),
  name: sealed('a'),
  expYear: 2030,
  expMonth: 12,
  last4: '4242',
  brand: 'visa',
  number: '************4242',
  object: 'card',
};
const account: MaskedSource = {
  country: 'gb',
  bankName: sealed('c'),
  accountType: 'individual',
  sortCode: sealed('b'),
  number: '*****6789',
  name: sealed('a'),
  object: 'bank_account',
};

const requested = (source: MaskedSource = card) =>
  ({
    type: 'PaymentRequested',
    data: { orderId, amount: '90.00', currency: 'EUR', source, reference: 'ref-canary' },
    meta: at(1),
  }) as const;
const succeeded = { type: 'PaymentSucceeded', data: { orderId }, meta: at(2) } as const;
const failed = { type: 'PaymentFailed', data: { orderId, reason: 'card_declined' }, meta: at(2) } as const;
const refunded = { type: 'PaymentRefunded', data: { orderId }, meta: at(3) } as const;

const fold = (...events: GivenEvent<PaymentEvent>[]) => foldProjection(paymentsProjection, events);
const json = (...events: GivenEvent<PaymentEvent>[]) => JSON.stringify(fold(...events)?.body);

describe('a requested payment', () => {
  it('has the members of a card in the documented order, with encrypted personal values', () =>
    expect(json(requested())).toBe(
      '{"id":"1","amount":"90.00","currency":"EUR","source":{"object":"card","name":{"$sealed":"a","subject":"payment:1"},' +
        '"number":"************4242","brand":"visa","last4":"4242","expMonth":12,"expYear":2030,' +
        '"addressLine1":{"$sealed":"b","subject":"payment:1"},"addressLine2":{"$sealed":"c","subject":"payment:1"},' +
        '"addressCity":{"$sealed":"d","subject":"payment:1"},"addressCountry":{"$sealed":"e","subject":"payment:1"},' +
        '"addressPostCode":{"$sealed":"f","subject":"payment:1"}},"status":"processing"}',
    ));
  it('has the members of a bank account in the documented order', () =>
    expect(json(requested(account))).toBe(
      '{"id":"1","amount":"90.00","currency":"EUR","source":{"object":"bank_account","name":{"$sealed":"a","subject":"payment:1"},' +
        '"number":"*****6789","sortCode":{"$sealed":"b","subject":"payment:1"},"accountType":"individual",' +
        '"bankName":{"$sealed":"c","subject":"payment:1"},"country":"gb"},"status":"processing"}',
    ));
  it('omits absent fields', () =>
    expect(json(requested({ object: 'bank_account', number: '*****6789' }))).toContain(
      '"source":{"object":"bank_account","number":"*****6789"}',
    ));
  it('omits members of a source that are not listed', () =>
    expect(json(requested({ ...card, ...{ cvc: 'cvc-canary' } }))).not.toContain('cvc-canary'));
  it('has its order and tenant as fields', () =>
    expect(fold({ ...requested(), meta: { ...at(1), tenant: 'tenant-1' } })?.fields).toStrictEqual({
      tenant: 'tenant-1',
      orderId,
      status: 'processing',
      requestedAt: '2026-01-02T03:04:01.000Z',
      settledAt: null,
    }));
});

describe('a settled payment', () => {
  const settledAt = '2026-01-02T03:04:02.000Z';

  it('has the status succeeded and the settlement time', () =>
    expect(fold(requested(), succeeded)).toMatchObject({ body: { status: 'succeeded' }, fields: { status: 'succeeded', settledAt } }));
  it('has the status failed, the settlement time and the reason', () =>
    expect(fold(requested(), failed)).toMatchObject({
      body: { status: 'failed', failureReason: 'card_declined' },
      fields: { status: 'failed', settledAt },
    }));
  it('keeps the status succeeded once it is refunded', () => {
    expect(fold(requested(), succeeded, refunded)).toEqual(fold(requested(), succeeded));
    expect(paymentsProjection.on.PaymentRefunded).not.toBe('ignore');
  });
});

describe('the payments', () => {
  it('never contain the gateway’s reference', () => {
    for (const events of [[], [succeeded], [failed], [succeeded, refunded]])
      expect(JSON.stringify(fold(requested(), ...events))).not.toContain('ref-canary');
  });
  it('ignore events of an unknown payment', () => expect(fold(succeeded, failed, refunded)).toBeNull());
});
