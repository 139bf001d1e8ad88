import { sharedLedger, type SharedLedgerTables, type WriteOnceTable } from '../../../libs/adapters/gateway/shared-ledger.js';
import type { BookedCharge, LedgerInstrument, PaymentLedger } from '../../../libs/ports/payment-ledger.port.js';
import type { Link } from '../link.js';

/** Stores the ledger of the simulated gateway. A run ends with a look at what was charged and refunded. */
export class LedgerServer {
  readonly instruments = new Map<string, Omit<LedgerInstrument, 'reference'>>();
  readonly charges = new Map<string, BookedCharge>();
  readonly refunds = new Map<string, { readonly refundedAt: string }>();
  readonly sweeps = new Map<string, object>();
}

const tableIn = <T extends object>(name: keyof SharedLedgerTables, records: Map<string, T>, link: Link): WriteOnceTable<T> => ({
  recordOnce: (key, record) =>
    link(`record ${name}/${key}`, () => {
      const stored = records.get(key) ?? record;
      records.set(key, stored);
      return stored;
    }),
  get: (key) => link(`get ${name}/${key}`, () => records.get(key) ?? null),
  between: (after, before, limit) =>
    link(`list ${name}`, () => {
      const keys = [...records.keys()].filter((key) => after < key && key < before).sort();
      return keys.slice(0, limit).flatMap((key) => {
        const record = records.get(key);
        return record ? [{ key, record }] : [];
      });
    }),
  hasRecord: (field, text) => link(`search ${name} by ${field}`, () => [...records.values()].some((record) => record[field] === text)),
  remove: (keys) => link(`remove ${keys.length} ${name}`, () => keys.forEach((key) => records.delete(key))),
});

/** Returns the ledger as one process uses it: the ledger of the distributed profile, on simulated tables. */
export const simulatedLedger = ({ instruments, charges, refunds, sweeps }: LedgerServer, link: Link): PaymentLedger =>
  sharedLedger({
    instruments: tableIn('instruments', instruments, link),
    charges: tableIn('charges', charges, link),
    refunds: tableIn('refunds', refunds, link),
    sweeps: tableIn('sweeps', sweeps, link),
  });
