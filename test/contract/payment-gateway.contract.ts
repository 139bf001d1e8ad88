import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { KeptInstrument, PaymentGateway, PaymentInstrument } from '../../libs/ports/payment-gateway.port.js';
import type { ManualClock } from '../../libs/eventsourcing/testing/manual-clock.js';

/** A gateway with test instruments of its own, and a look at what it did. */
export type GatewayUnderTest = {
  readonly gateway: PaymentGateway;
  /** Cards of different numbers whose charges succeed. */
  readonly good: readonly [PaymentInstrument, PaymentInstrument];
  readonly declined: PaymentInstrument;
  readonly bankAccount: PaymentInstrument;
  readonly clock: ManualClock;
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
    const { reference } = await under.gateway.tokenize(under.good[0], 'order-1');
    expect(await under.gateway.charge(reference, '90.00', 'USD', key)).toEqual({ status: 'succeeded' });
    return reference;
  };

  describe(`${name}: taking an instrument in`, () => {
    it('answers a reference that says nothing of the number, and its last four digits', async () => {
      const { number } = under.good[0];
      const kept = await under.gateway.tokenize(under.good[0], 'order-1');
      expect(kept.last4).toBe(number.slice(-4));
      expect(JSON.stringify(kept)).not.toContain(number);
    });

    it('answers the brand of a card, and none for a bank account', async () => {
      expect((await under.gateway.tokenize(under.good[0], 'order-1')).brand).toMatch(/^[a-z]+$/);
      expect(await under.gateway.tokenize(under.bankAccount, 'order-1')).not.toHaveProperty('brand');
    });

    it('gives equal numbers equal fingerprints under different references', async () => {
      const [first, second] = [
        await under.gateway.tokenize(under.good[0], 'order-1'),
        await under.gateway.tokenize(under.good[0], 'order-1'),
      ];
      expect(second.fingerprint).toBe(first.fingerprint);
      expect(second.reference).not.toBe(first.reference);
    });

    it('gives different numbers different fingerprints', async () => {
      const kept = await Promise.all(
        [...under.good, under.declined, under.bankAccount].map((one) => under.gateway.tokenize(one, 'order-1')),
      );
      expect(new Set(kept.map(({ fingerprint }) => fingerprint)).size).toBe(kept.length);
    });
  });

  describe(`${name}: identifying an instrument`, () => {
    it('answers what taking it in does, without a reference', async () => {
      for (const instrument of [under.good[0], under.declined, under.bankAccount]) {
        const { reference, ...known } = await under.gateway.tokenize(instrument, 'order-1');
        expect(reference).toEqual(expect.any(String));
        expect(await under.gateway.identify(instrument)).toEqual(known);
      }
    });
  });

  describe(`${name}: deleting what was not used`, () => {
    const DAY = 86_400_000;
    const take = async (purpose: string) => (await under.gateway.tokenize(under.good[0], purpose)).reference;
    const sweep = async (needed: readonly string[] = []) => {
      const asked: KeptInstrument[] = [];
      const before = new Date(under.clock.now().getTime() - DAY);
      const deleted = await under.gateway.deleteUnused(before, async (instrument) => {
        asked.push(instrument);
        return needed.includes(instrument.reference);
      });
      return { asked, deleted };
    };
    const charged = async (reference: string, key: string) => (await under.gateway.charge(reference, '90.00', 'USD', key)).status;

    it('asks of each once it is old enough, with what it was for, and deletes what nobody needs', async () => {
      const [needed, refused] = [await take('order-1'), await take('order-2')];
      under.clock.advance(DAY);
      const young = await take('order-3');
      expect((await sweep()).asked).toEqual([]);
      under.clock.advance(1);
      const { asked, deleted } = await sweep([needed]);
      expect(asked.toSorted((one, other) => one.purpose.localeCompare(other.purpose))).toEqual([
        { reference: needed, purpose: 'order-1' },
        { reference: refused, purpose: 'order-2' },
      ]);
      expect(deleted).toBe(1);
      expect([await charged(needed, 'a'), await charged(refused, 'b'), await charged(young, 'c')]).toEqual([
        'succeeded',
        'failed',
        'succeeded',
      ]);
    });

    it('keeps for good what was needed: its charge may come later than any day', async () => {
      const needed = await take('order-1');
      under.clock.advance(2 * DAY);
      await sweep([needed]);
      under.clock.advance(30 * DAY);
      expect((await sweep()).asked).toEqual([]);
      expect(await charged(needed, 'late')).toBe('succeeded');
    });

    it('never asks of what was charged, nor deletes it', async () => {
      const reference = await take('order-1');
      await charged(reference, 'payment-1');
      under.clock.advance(2 * DAY);
      expect(await sweep()).toEqual({ asked: [], deleted: 0 });
      expect(await charged(reference, 'payment-2')).toBe('succeeded');
    });

    it('deletes nothing while it cannot be told what is needed, and goes on there', async () => {
      await take('order-1');
      under.clock.advance(2 * DAY);
      await expect(under.gateway.deleteUnused(under.clock.now(), () => Promise.reject(new Error('the log is down')))).rejects.toThrow(
        'down',
      );
      expect((await sweep()).deleted).toBe(1);
    });

    it('goes through many', async () => {
      for (let count = 0; count < 450; count++) await take(`order-${count}`);
      under.clock.advance(2 * DAY);
      expect((await sweep()).deleted).toBe(450);
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
      const { reference } = await under.gateway.tokenize(under.good[0], 'order-1');
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
      const { reference } = await under.gateway.tokenize(under.declined, 'order-1');
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
      const { reference } = await under.gateway.tokenize(under.declined, 'order-1');
      await under.gateway.charge(reference, '90.00', 'USD', 'payment-1');
      await expect(under.gateway.refund('payment-1')).rejects.toThrow();
      await expect(under.gateway.refund('payment-2')).rejects.toThrow();
    });
  });
};
