import { beforeEach, describe, expect, it } from '@jest/globals';
import type { PaymentInstrument } from '../../ports/payment-gateway.port.js';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';
import { FAILURE_REASONS, type PaymentLedger } from '../../ports/payment-ledger.port.js';
import { memoryLedger } from './memory-ledger.fixtures.js';
import { simulatedGateway } from './simulated-gateway.js';
import type { PaymentGateway } from '../../ports/payment-gateway.port.js';

const card = (number: string): PaymentInstrument => ({ object: 'card', number, cvc: '123', expMonth: 12, expYear: 2030 });
const account = (number: string, sortCode?: string): PaymentInstrument => ({
  object: 'bank_account',
  number,
  ...(sortCode && { sortCode }),
});

const clock = manualClock('2026-01-02T03:04:05.678Z');
const fingerprintKey = new Uint8Array(32).fill(1);
let ledger: PaymentLedger;
let gateway: PaymentGateway;
beforeEach(() => {
  ledger = memoryLedger();
  gateway = simulatedGateway(ledger, { clock, fingerprintKey, slowMilliseconds: 3000 });
});

const chargeOf = async (instrument: PaymentInstrument): Promise<unknown> => {
  const { reference } = await gateway.tokenize(instrument, 'order-1');
  return gateway.charge(reference, '90.00', 'USD', `payment of ${reference}`);
};

/** Resolves when this number of charges waits for the clock. */
const eventuallyWaiting = async (charges: number): Promise<void> => {
  while (clock.waiting() < charges) await new Promise((resolve) => setImmediate(resolve));
};

describe('the stored digits', () => {
  it.each([
    ['1234', '34'],
    ['12345', '45'],
    ['1234567', '567'],
    ['12345678', '5678'],
  ])('of account %s are %s', async (number, last4) => {
    expect(await gateway.tokenize(account(number), 'order-1')).toMatchObject({ last4 });
  });
});

describe('the simulated gateway', () => {
  it.each([
    ['4242424242424242', { status: 'succeeded' }],
    ['4000000000000002', { status: 'failed', reason: 'card_declined' }],
    ['4000000000009995', { status: 'failed', reason: 'insufficient_funds' }],
    ['4000000000000119', { status: 'failed', reason: 'processing_error' }],
    ['5555555555554444', { status: 'succeeded' }],
    ['4000 0000 0000 0002', { status: 'failed', reason: 'card_declined' }],
  ])('charges card %s with the result %j', async (number, outcome) => {
    expect(await chargeOf(card(number))).toEqual(outcome);
  });

  it.each([
    ['000123456789', { status: 'succeeded' }],
    ['000111111116', { status: 'failed', reason: 'bank_debit_failed' }],
    ['000987654321', { status: 'succeeded' }],
    // Property names that every object inherits must not be found as test numbers.
    ['constructor', { status: 'succeeded' }],
    ['toString', { status: 'succeeded' }],
  ])('charges account %s with the result %j', async (number, outcome) => {
    expect(await chargeOf(account(number))).toEqual(outcome);
  });

  it('does not apply the test number of a card to an account', async () => {
    expect(await chargeOf(account('4000000000000002'))).toEqual({ status: 'succeeded' });
  });

  it('charges card 4000000000000259 only after a delay', async () => {
    const { reference } = await gateway.tokenize(card('4000000000000259'), 'order-1');
    const charging = gateway.charge(reference, '90.00', 'USD', 'slow');
    await eventuallyWaiting(1);
    clock.advance(2999);
    expect(await ledger.findCharge('slow')).toBeUndefined();
    expect(clock.waiting()).toBe(1);
    clock.advance(1);
    expect(await charging).toEqual({ status: 'succeeded' });
  });

  it('charges card 4000000000000259 once when requests overlap, and responds to later requests immediately', async () => {
    const { reference } = await gateway.tokenize(card('4000000000000259'), 'order-1');
    const charging = [gateway.charge(reference, '90.00', 'USD', 'slow'), gateway.charge(reference, '80.00', 'EUR', 'slow')];
    await eventuallyWaiting(2);
    clock.advance(3000);
    expect(await Promise.all(charging)).toEqual([{ status: 'succeeded' }, { status: 'succeeded' }]);
    expect(await ledger.findCharge('slow')).toMatchObject({ amount: '90.00', currency: 'USD' });
    expect(await gateway.charge(reference, '90.00', 'USD', 'slow')).toEqual({ status: 'succeeded' });
    expect(clock.waiting()).toBe(0);
  });
});

describe('the ledger', () => {
  it('contains each charge, its time, and the time of its refund', async () => {
    const { reference } = await gateway.tokenize(card('4242424242424242'), 'order-1');
    await gateway.charge(reference, '90.00', 'USD', 'payment-1');
    clock.advance(1000);
    await gateway.refund('payment-1');
    clock.advance(1000);
    await gateway.refund('payment-1');
    const chargedAt = new Date(clock.now().getTime() - 2000).toISOString();
    const refundedAt = new Date(clock.now().getTime() - 1000).toISOString();
    expect(await ledger.findCharge('payment-1')).toEqual({
      ...{ idempotencyKey: 'payment-1', reference, amount: '90.00', currency: 'USD', outcome: 'succeeded' },
      ...{ chargedAt, refundedAt },
    });
  });

  it('records only documented failure reasons, also for an unknown reference', async () => {
    expect(await gateway.charge('pay_unheard_of', '1.00', 'USD', 'k')).toEqual({ status: 'failed', reason: 'instrument_unknown' });
    expect(FAILURE_REASONS).toContain((await ledger.findCharge('k'))?.outcome);
  });
});

describe('a stored instrument', () => {
  it('has a reference that consists of pay_, the time and 24 random bytes', async () => {
    expect((await gateway.tokenize(card('4242424242424242'), 'order-1')).reference).toMatch(/^pay_[0-9a-z]{9}[\w-]{32}$/);
  });

  it('has a fingerprint that depends on the key', async () => {
    const other = simulatedGateway(ledger, { clock, fingerprintKey: new Uint8Array(32).fill(2) });
    const [ours, theirs] = await Promise.all([gateway, other].map((one) => one.tokenize(card('4242424242424242'), 'order-1')));
    expect(theirs.fingerprint).not.toBe(ours.fingerprint);
  });

  it('has the same fingerprint with any spacing of the number, and another with a different sort code', async () => {
    const instruments = [account('000123456789', '110000'), account('000 123 456 789', '11-00-00'), account('000123456789', '110001')];
    const [first, spaced, elsewhere] = await Promise.all(instruments.map((one) => gateway.tokenize(one, 'order-1')));
    expect(spaced.fingerprint).toBe(first.fingerprint);
    expect(elsewhere.fingerprint).not.toBe(first.fingerprint);
  });

  it.each([
    ['4242424242424242', 'visa'],
    ['5555555555554444', 'mastercard'],
    ['2223003122003222', 'mastercard'],
    ['2220990000000000', 'unknown'],
    ['2721000000000000', 'unknown'],
    ['378282246310005', 'amex'],
    ['6011111111111117', 'discover'],
    ['30569309025904', 'diners'],
    ['3566002020360505', 'jcb'],
    ['6200000000000005', 'unionpay'],
    ['6759649826438453', 'maestro'],
    ['9999999999999995', 'unknown'],
  ])('that is card %s has the brand %s', async (number, brand) => {
    expect(await gateway.tokenize(card(number), 'order-1')).toMatchObject({ brand });
  });
});
