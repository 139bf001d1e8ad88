import { describe, expect, it } from '@jest/globals';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';
import { openDeliveries, pendingDelivery, WEBHOOK } from '../../deliveries/deliveries.fixtures.js';
import { GetDeliveryHandler, ListDeliveriesHandler } from './delivery.queries.js';
import { GetDelivery, ListDeliveries } from './delivery.queries.js';

const attempt = { at: '2026-01-02T03:04:05.000Z', url: 'https://shop.example.com', durationMilliseconds: 5, status: 500 };
const keys = {} as KeyVault;

describe('a receiver’s response', () => {
  const readWith = async (answer: string) => {
    const { documents, deliveries, putEndpoint } = openDeliveries(manualClock());
    await putEndpoint();
    await deliveries.putNew(pendingDelivery('d1', { attempts: Array.from({ length: 25 }, () => ({ ...attempt, answer })) }));
    const page = await new ListDeliveriesHandler(documents, keys).execute(new ListDeliveries(WEBHOOK, {}, 1, 100, 'shared'));
    const view = await new GetDeliveryHandler(documents, keys).execute(new GetDelivery(WEBHOOK, 'd1', 'shared'));
    return { listed: page?.items[0] ?? '', read: view?.json ?? '' };
  };

  it('is returned with a single delivery', async () => {
    const { read } = await readWith('out of order');
    expect((JSON.parse(read) as { attempts: unknown[] }).attempts[24]).toEqual({ ...attempt, answer: 'out of order' });
  });

  it('does not make a page of deliveries longer', async () => {
    const { listed } = await readWith('\0'.repeat(2_048));
    expect(listed).toBe((await readWith('ok')).listed);
    expect((JSON.parse(listed) as { attempts: unknown[] }).attempts).toHaveLength(25);
    expect((JSON.parse(listed) as { attempts: unknown[] }).attempts[0]).toEqual(attempt);
  });
});
