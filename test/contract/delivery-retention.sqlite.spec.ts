import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { describe, expect, it, jest } from '@jest/globals';
import { openForTest } from '../../libs/adapters/sqlite/sqlite.fixtures.js';
import { prepareDeliveries } from '../../libs/deliveries/collections.js';
import { DeliveryStore } from '../../libs/deliveries/delivery-store.js';
import { deliveryRetentionContract } from './delivery-retention.contract.js';

deliveryRetentionContract('the embedded adapter', () => openForTest(':memory:'));

describe('the search for old deliveries on SQLite', () => {
  it('reads an index in the order of the search, from where the last portion ended', async () => {
    const { documents, close } = await openForTest(':memory:');
    await prepareDeliveries(documents);
    const plans: string[] = [];
    const prepare: (this: DatabaseSync, sql: string) => StatementSync = Reflect.get(DatabaseSync.prototype, 'prepare');
    const spy = jest.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (this: DatabaseSync, sql: string) {
      if (sql.startsWith('SELECT'))
        plans.push(
          ...prepare
            .call(this, `EXPLAIN QUERY PLAN ${sql}`)
            .all()
            .map(({ detail }) => String(detail)),
        );
      return prepare.call(this, sql);
    });
    await new DeliveryStore(documents).findDelivered({ from: '2026-01-01', to: '2026-02-01' }, 10, 0);
    spy.mockRestore();
    expect(plans).toEqual([
      'SEARCH deliveries_v1 USING INDEX deliveries_v1_by_status_createdAt (status=? AND createdAt>? AND createdAt<?)',
    ]);
    await close();
  });
});
