import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { StoredInstrument, PaymentGateway, PaymentInstrument } from '../../libs/ports/payment-gateway.port.js';
import type { ManualClock } from '../../libs/eventsourcing/testing/manual-clock.js';

/** A gateway with its own test instruments and access to its ledger. */
export type GatewayUnderTest = {
  readonly gateway: PaymentGateway;
  /** Two cards with different numbers. Charges of both succeed. */
  readonly good: readonly [PaymentInstrument, PaymentInstrument];
  readonly declined: PaymentInstrument;
  readonly bankAccount: PaymentInstrument;
  readonly clock: ManualClock;
  /** Returns the number of charges with this key in the gateway's ledger, and the number of their refunds. */
  readonly ledger: (idempotencyKey: string) => Promise<{ readonly charges: number; readonly refunds: number }>;
  readonly close: () => Promise<void>;
};

/** The contract of PaymentGateway. It proves contract 15.8, contract 15.9 and contract 15.10. */
export const paymentGatewayContract = (name: string, open: () => Promise<GatewayUnderTest>): void => {
  let subject: GatewayUnderTest;
  beforeEach(async () => {
    subject = await open();
  });
  afterEach(() => subject.close());

  const chargeGood = async (key: string): Promise<string> => {
    const { reference } = await subject.gateway.tokenize(subject.good[0], 'order-1');
    expect(await subject.gateway.charge(reference, '90.00', 'USD', key)).toEqual({ status: 'succeeded' });
    return reference;
  };

  describe(`${name}: tokenizing an instrument`, () => {
    it('returns a reference without the number, and the last four digits', async () => {
      const { number } = subject.good[0];
      const tokenized = await subject.gateway.tokenize(subject.good[0], 'order-1');
      expect(tokenized.last4).toBe(number.slice(-4));
      expect(JSON.stringify(tokenized)).not.toContain(number);
    });

    it('returns the brand of a card, and none for a bank account', async () => {
      expect((await subject.gateway.tokenize(subject.good[0], 'order-1')).brand).toMatch(/^[a-z]+$/);
      expect(await subject.gateway.tokenize(subject.bankAccount, 'order-1')).not.toHaveProperty('brand');
    });

    it('gives equal numbers equal fingerprints under different references', async () => {
      const [first, second] = [
        await subject.gateway.tokenize(subject.good[0], 'order-1'),
        await subject.gateway.tokenize(subject.good[0], 'order-1'),
      ];
      expect(second.fingerprint).toBe(first.fingerprint);
      expect(second.reference).not.toBe(first.reference);
    });

    it('gives different numbers different fingerprints', async () => {
      const tokenized = await Promise.all(
        [...subject.good, subject.declined, subject.bankAccount].map((one) => subject.gateway.tokenize(one, 'order-1')),
      );
      expect(new Set(tokenized.map(({ fingerprint }) => fingerprint)).size).toBe(tokenized.length);
    });
  });

  describe(`${name}: identifying an instrument`, () => {
    it('returns the same as tokenize, without a reference', async () => {
      for (const instrument of [subject.good[0], subject.declined, subject.bankAccount]) {
        const { reference, ...identified } = await subject.gateway.tokenize(instrument, 'order-1');
        expect(reference).toEqual(expect.any(String));
        expect(await subject.gateway.identify(instrument)).toEqual(identified);
      }
    });
  });

  describe(`${name}: deleting unused instruments`, () => {
    const DAY = 86_400_000;
    const tokenize = async (purpose: string) => (await subject.gateway.tokenize(subject.good[0], purpose)).reference;
    const sweep = async (needed: readonly string[] = []) => {
      const checked: StoredInstrument[] = [];
      const before = new Date(subject.clock.now().getTime() - DAY);
      const deleted = await subject.gateway.deleteUnused(before, async (instrument) => {
        checked.push(instrument);
        return needed.includes(instrument.reference);
      });
      return { checked, deleted };
    };
    const charge = async (reference: string, key: string) => (await subject.gateway.charge(reference, '90.00', 'USD', key)).status;

    it('checks each instrument that is old enough, with its purpose, and deletes those that are not needed', async () => {
      const [needed, unused] = [await tokenize('order-1'), await tokenize('order-2')];
      subject.clock.advance(DAY);
      const young = await tokenize('order-3');
      expect((await sweep()).checked).toEqual([]);
      subject.clock.advance(1);
      const { checked, deleted } = await sweep([needed]);
      expect(checked.toSorted((one, other) => one.purpose.localeCompare(other.purpose))).toEqual([
        { reference: needed, purpose: 'order-1' },
        { reference: unused, purpose: 'order-2' },
      ]);
      expect(deleted).toBe(1);
      expect([await charge(needed, 'a'), await charge(unused, 'b'), await charge(young, 'c')]).toEqual([
        'succeeded',
        'failed',
        'succeeded',
      ]);
    });

    it('keeps a needed instrument permanently: its charge may come at any time', async () => {
      const needed = await tokenize('order-1');
      subject.clock.advance(2 * DAY);
      await sweep([needed]);
      subject.clock.advance(30 * DAY);
      expect((await sweep()).checked).toEqual([]);
      expect(await charge(needed, 'late')).toBe('succeeded');
    });

    it('neither checks nor deletes a charged instrument', async () => {
      const reference = await tokenize('order-1');
      await charge(reference, 'payment-1');
      subject.clock.advance(2 * DAY);
      expect(await sweep()).toEqual({ checked: [], deleted: 0 });
      expect(await charge(reference, 'payment-2')).toBe('succeeded');
    });

    it('deletes nothing when the check fails, and checks the same instrument the next time', async () => {
      await tokenize('order-1');
      subject.clock.advance(2 * DAY);
      await expect(subject.gateway.deleteUnused(subject.clock.now(), () => Promise.reject(new Error('the log is down')))).rejects.toThrow(
        'down',
      );
      expect((await sweep()).deleted).toBe(1);
    });

    it('deletes many', async () => {
      for (let count = 0; count < 450; count++) await tokenize(`order-${count}`);
      subject.clock.advance(2 * DAY);
      expect((await sweep()).deleted).toBe(450);
    });
  });

  describe(`${name}: charging`, () => {
    it('succeeds for a good instrument', async () => {
      await chargeGood('payment-1');
      expect(await subject.ledger('payment-1')).toEqual({ charges: 1, refunds: 0 });
    });

    it('happens once per key, and every repeat returns the first result', async () => {
      const reference = await chargeGood('payment-1');
      expect(await subject.gateway.charge(reference, '90.00', 'USD', 'payment-1')).toEqual({ status: 'succeeded' });
      expect(await subject.ledger('payment-1')).toEqual({ charges: 1, refunds: 0 });
    });

    it('happens once for fifty concurrent requests', async () => {
      const { reference } = await subject.gateway.tokenize(subject.good[0], 'order-1');
      const results = await Promise.all(Array.from({ length: 50 }, () => subject.gateway.charge(reference, '90.00', 'USD', 'payment-1')));
      expect(results).toEqual(results.map(() => ({ status: 'succeeded' })));
      expect(await subject.ledger('payment-1')).toEqual({ charges: 1, refunds: 0 });
    });

    it('happens again under another key', async () => {
      await chargeGood('payment-1');
      await chargeGood('payment-2');
      expect(await subject.ledger('payment-2')).toEqual({ charges: 1, refunds: 0 });
    });

    it('fails with a reason in lower_snake_case, the same one each time', async () => {
      const { reference } = await subject.gateway.tokenize(subject.declined, 'order-1');
      const first = await subject.gateway.charge(reference, '90.00', 'USD', 'payment-1');
      expect(first).toEqual({ status: 'failed', reason: expect.stringMatching(/^[a-z]+(_[a-z]+)*$/) });
      expect(await subject.gateway.charge(reference, '90.00', 'USD', 'payment-1')).toEqual(first);
    });

    it('fails for an unknown reference', async () => {
      expect(await subject.gateway.charge('pay_unknown', '90.00', 'USD', 'payment-1')).toMatchObject({ status: 'failed' });
    });
  });

  describe(`${name}: refunding`, () => {
    it('refunds a charge once, however often it is requested', async () => {
      await chargeGood('payment-1');
      await subject.gateway.refund('payment-1');
      await subject.gateway.refund('payment-1');
      await Promise.all([subject.gateway.refund('payment-1'), subject.gateway.refund('payment-1')]);
      expect(await subject.ledger('payment-1')).toEqual({ charges: 1, refunds: 1 });
    });

    it('does not change the result of a repeated charge', async () => {
      const reference = await chargeGood('payment-1');
      await subject.gateway.refund('payment-1');
      expect(await subject.gateway.charge(reference, '90.00', 'USD', 'payment-1')).toEqual({ status: 'succeeded' });
    });

    it('does not affect other charges', async () => {
      await chargeGood('payment-1');
      await chargeGood('payment-2');
      await subject.gateway.refund('payment-1');
      expect(await subject.ledger('payment-2')).toEqual({ charges: 1, refunds: 0 });
    });

    it('rejects when there is no succeeded charge', async () => {
      const { reference } = await subject.gateway.tokenize(subject.declined, 'order-1');
      await subject.gateway.charge(reference, '90.00', 'USD', 'payment-1');
      await expect(subject.gateway.refund('payment-1')).rejects.toThrow();
      await expect(subject.gateway.refund('payment-2')).rejects.toThrow();
    });
  });
};
