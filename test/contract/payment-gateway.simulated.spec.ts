import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSimulatedGateway } from '../../libs/adapters/gateway/index.js';
import type { PaymentInstrument } from '../../libs/eventsourcing/payment-gateway.port.js';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { paymentGatewayContract, type GatewayUnderTest } from './payment-gateway.contract.js';

const card = (number: string): PaymentInstrument => ({ object: 'card', number, cvc: '123', expMonth: 12, expYear: 2030 });

const open = (directory: string, cleanUp: () => void): GatewayUnderTest => {
  const gateway = openSimulatedGateway({ directory, clock: manualClock(), fingerprintKey: new Uint8Array(32) });
  return {
    gateway,
    good: [card('4242424242424242'), card('5555555555554444')],
    declined: card('4000000000000002'),
    bankAccount: { object: 'bank_account', number: '000123456789', sortCode: '110000' },
    ledger: async (idempotencyKey) => {
      const charges = gateway.charges().filter((charge) => charge.idempotencyKey === idempotencyKey);
      return { charges: charges.length, refunds: charges.filter(({ refundedAt }) => refundedAt !== null).length };
    },
    close: async () => {
      gateway.close();
      cleanUp();
    },
  };
};

paymentGatewayContract('the simulated gateway in memory', async () => open(':memory:', () => undefined));

paymentGatewayContract('the simulated gateway in a folder', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'gateway-'));
  return open(directory, () => rmSync(directory, { recursive: true }));
});
