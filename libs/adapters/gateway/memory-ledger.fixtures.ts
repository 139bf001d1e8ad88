import type { PaymentLedger } from '../../ports/payment-ledger.port.js';
import { sharedLedger, type WriteOnceTable } from './shared-ledger.js';

const memoryTable = <T extends object>(): WriteOnceTable<T> => {
  const records = new Map<string, T>();
  return {
    async recordOnce(key, record) {
      const stored = records.get(key) ?? record;
      records.set(key, stored);
      return stored;
    },
    get: async (key) => records.get(key) ?? null,
    between: async (after, before, limit) =>
      [...records]
        .filter(([key]) => after < key && key < before)
        .sort()
        .slice(0, limit)
        .map(([key, record]) => ({ key, record })),
    hasRecord: async (field, text) => [...records.values()].some((record) => record[field] === text),
    remove: async (keys) => keys.forEach((key) => records.delete(key)),
  };
};

/** Creates a ledger in memory. */
export const memoryLedger = (): PaymentLedger =>
  sharedLedger({ instruments: memoryTable(), charges: memoryTable(), refunds: memoryTable(), sweeps: memoryTable() });
