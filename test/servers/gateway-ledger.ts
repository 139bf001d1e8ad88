import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { LedgerCharge } from '../../libs/ports/payment-ledger.port.js';

const CHARGES = `SELECT idempotency_key AS idempotencyKey, reference, amount, currency, outcome, charged_at AS chargedAt, refunded_at AS refundedAt
  FROM charges ORDER BY rowid`;

/** Reads every charge from the gateway's file, oldest first. It also works while a service runs. */
export const readLedger = (directory: string): readonly LedgerCharge[] => {
  const file = join(directory, 'gateway.sqlite');
  if (!existsSync(file)) throw new Error(`${directory} has no ledger: a store in memory has none that can be read`);
  const database = new DatabaseSync(file, { timeout: 5_000 });
  try {
    return (database.prepare(CHARGES).all() as unknown as LedgerCharge[]).map((charge) => ({ ...charge }));
  } finally {
    database.close();
  }
};
