import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { PaymentGateway, PaymentInstrument } from '../../libs/eventsourcing/payment-gateway.port.js';

/** A gateway with test instruments of its own, and a look at what it did. */
export type GatewayUnderTest = {
  readonly gateway: PaymentGateway;
  /** Cards of different numbers whose charges succeed. */
  readonly good: readonly [PaymentInstrument, PaymentInstrument];
  readonly declined: PaymentInstrument;
  readonly bankAccount: PaymentInstrument;
  /** How many charges stand under the key, and how many of them were given back. */
  readonly ledger: (idempotencyKey: string) => Promise<{ readonly charges: number; readonly refunds: number }>;
  readonly close: () => Promise<void>;
};

/** What every PaymentGateway promises. */
export const paymentGatewayContract = (name: string, open: () => Promise<GatewayUnderTest>): void => {
  let under: GatewayUnderTest;
  beforeEach(async () => {
    under = await open();
  });
  afterEach(() => under.close());

  const chargeGood = async (key: string): Promise<string> => {
    const { reference } = await under.gateway.tokenize(under.good[0]);
    expect(await under.gateway.charge(reference, '90.00', 'USD', key)).toEqual({ status: 'succeeded' });
    return reference;
  };

  describe(`${name}: taking an instrument in`, () => {
    it('answers a reference that says nothing of the number, and its last four digits', async () => {
      const { number } = under.good[0];
      const kept = await under.gateway.tokenize(under.good[0]);
      expect(kept.last4).toBe(number.slice(-4));
      expect(JSON.stringify(kept)).not.toContain(number);
    });

    it('answers the brand of a card, and none for a bank account', async () => {
      expect((await under.gateway.tokenize(under.good[0])).brand).toMatch(/^[a-z]+$/);
      expect(await under.gateway.tokenize(under.bankAccount)).not.toHaveProperty('brand');
    });

    it('gives equal numbers equal fingerprints under different references', async () => {
      const [first, second] = [await under.gateway.tokenize(under.good[0]), await under.gateway.tokenize(under.good[0])];
      expect(second.fingerprint).toBe(first.fingerprint);
      expect(second.reference).not.toBe(first.reference);
    });

    it('gives different numbers different fingerprints', async () => {
      const kept = await Promise.all([...under.good, under.declined, under.bankAccount].map((one) => under.gateway.tokenize(one)));
      expect(new Set(kept.map(({ fingerprint }) => fingerprint)).size).toBe(kept.length);
    });
  });

  describe(`${name}: charging`, () => {
    it('succeeds for a good instrument', async () => {
      await chargeGood('payment-1');
      expect(await under.ledger('payment-1')).toEqual({ charges: 1, refunds: 0 });
    });

    it('happens once per key, and every repeat answers as the first time', async () => {
      const reference = await chargeGood('payment-1');
      expect(await under.gateway.charge(reference, '90.00', 'USD', 'payment-1')).toEqual({ status: 'succeeded' });
      expect(await under.ledger('payment-1')).toEqual({ charges: 1, refunds: 0 });
    });

    it('happens once when fifty ask at the same time', async () => {
      const { reference } = await under.gateway.tokenize(under.good[0]);
      const answers = await Promise.all(Array.from({ length: 50 }, () => under.gateway.charge(reference, '90.00', 'USD', 'payment-1')));
      expect(answers).toEqual(answers.map(() => ({ status: 'succeeded' })));
      expect(await under.ledger('payment-1')).toEqual({ charges: 1, refunds: 0 });
    });

    it('happens again under another key', async () => {
      await chargeGood('payment-1');
      await chargeGood('payment-2');
      expect(await under.ledger('payment-2')).toEqual({ charges: 1, refunds: 0 });
    });

    it('fails with a reason in lower_snake_case, the same one each time', async () => {
      const { reference } = await under.gateway.tokenize(under.declined);
      const first = await under.gateway.charge(reference, '90.00', 'USD', 'payment-1');
      expect(first).toEqual({ status: 'failed', reason: expect.stringMatching(/^[a-z]+(_[a-z]+)*$/) });
      expect(await under.gateway.charge(reference, '90.00', 'USD', 'payment-1')).toEqual(first);
    });

    it('fails for a reference it never gave out', async () => {
      expect(await under.gateway.charge('pay_unheard_of', '90.00', 'USD', 'payment-1')).toMatchObject({ status: 'failed' });
    });
  });

  describe(`${name}: refunding`, () => {
    it('gives a charge back once, however often it is asked', async () => {
      await chargeGood('payment-1');
      await under.gateway.refund('payment-1');
      await under.gateway.refund('payment-1');
      await Promise.all([under.gateway.refund('payment-1'), under.gateway.refund('payment-1')]);
      expect(await under.ledger('payment-1')).toEqual({ charges: 1, refunds: 1 });
    });

    it('leaves the answer to a repeated charge what it was', async () => {
      const reference = await chargeGood('payment-1');
      await under.gateway.refund('payment-1');
      expect(await under.gateway.charge(reference, '90.00', 'USD', 'payment-1')).toEqual({ status: 'succeeded' });
    });

    it('touches no other charge', async () => {
      await chargeGood('payment-1');
      await chargeGood('payment-2');
      await under.gateway.refund('payment-1');
      expect(await under.ledger('payment-2')).toEqual({ charges: 1, refunds: 0 });
    });

    it('rejects where there is no succeeded charge', async () => {
      const { reference } = await under.gateway.tokenize(under.declined);
      await under.gateway.charge(reference, '90.00', 'USD', 'payment-1');
      await expect(under.gateway.refund('payment-1')).rejects.toThrow();
      await expect(under.gateway.refund('payment-2')).rejects.toThrow();
    });
  });
};
