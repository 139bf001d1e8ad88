import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharedLedger, simulatedGateway } from '../../libs/adapters/gateway/index.js';
import { openLedger } from '../../libs/adapters/sqlite/index.js';
import type { PaymentInstrument } from '../../libs/ports/payment-gateway.port.js';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { readLedger } from '../servers/gateway-ledger.js';
import { sharedMongod } from '../servers/services/shared.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { mongoForTest } from './mongo.js';
import { paymentGatewayContract, type GatewayUnderTest } from './payment-gateway.contract.js';

const card = (number: string): PaymentInstrument => ({ object: 'card', number, cvc: '123', expMonth: 12, expYear: 2030 });

/** Test instruments of the simulation. */
const INSTRUMENTS = {
  good: [card('4242424242424242'), card('5555555555554444')],
  declined: card('4000000000000002'),
  bankAccount: { object: 'bank_account', number: '000123456789', sortCode: '110000' },
} as const;

type LedgerEntry = { readonly idempotencyKey: string; readonly refundedAt: string | null };

const ledgerEntriesIn =
  (charges: () => Promise<readonly LedgerEntry[]>): GatewayUnderTest['ledger'] =>
  async (idempotencyKey) => {
    const booked = (await charges()).filter((charge) => charge.idempotencyKey === idempotencyKey);
    return { charges: booked.length, refunds: booked.filter(({ refundedAt }) => refundedAt !== null).length };
  };

paymentGatewayContract('the simulated gateway in memory', async () => {
  const clock = manualClock();
  const ledger = openLedger(':memory:');
  return {
    gateway: simulatedGateway(ledger, { clock, fingerprintKey: new Uint8Array(32) }),
    clock,
    ...INSTRUMENTS,
    ledger: ledgerEntriesIn(() => ledger.allCharges()),
    close: () => ledger.close(),
  };
});

paymentGatewayContract('the simulated gateway in a folder', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'gateway-'));
  const clock = manualClock();
  const ledger = openLedger(directory);
  return {
    gateway: simulatedGateway(ledger, { clock, fingerprintKey: new Uint8Array(32) }),
    clock,
    ...INSTRUMENTS,
    ledger: ledgerEntriesIn(async () => readLedger(directory)),
    close: async () => {
      await ledger.close();
      rmSync(directory, { recursive: true });
    },
  };
});

const ON_MONGODB = 'the simulated gateway on MongoDB';

describeIfAvailable(ON_MONGODB, await sharedMongod(), ({ url }) =>
  paymentGatewayContract(ON_MONGODB, async () => {
    const mongo = await mongoForTest(url);
    const ledger = sharedLedger({
      instruments: mongo.records('instruments'),
      charges: mongo.records('charges'),
      refunds: mongo.records('refunds'),
      sweeps: mongo.records('sweeps'),
    });
    const clock = manualClock();
    return {
      gateway: simulatedGateway(ledger, { clock, fingerprintKey: new Uint8Array(32) }),
      clock,
      ...INSTRUMENTS,
      ledger: async (idempotencyKey) => {
        const booked = await ledger.findCharge(idempotencyKey);
        return { charges: booked ? 1 : 0, refunds: booked?.refundedAt ? 1 : 0 };
      },
      close: () => mongo.drop(),
    };
  }),
);
