import { beforeEach, describe, expect, it } from '@jest/globals';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';
import type { Work, WorkQueue } from '../../eventsourcing/ports/work-queue.port.js';
import type { Identities } from '../identities.js';
import { openDeliveries, pendingDelivery, WEBHOOK } from '../../deliveries/deliveries.fixtures.js';
import { redeliver as redeliverOne, redeliverSince, Redeliver, RedeliverSince } from './delivery.commands.js';
import { RedeliveryStore } from '../../deliveries/redelivery/redelivery.js';
import { override } from '../../eventsourcing/testing/override.js';

const SINCE = '2026-01-02T00:00:00.000Z';
const request = (idempotencyKey: string) => ({ tenant: 'shared', actor: 'keeper', requestId: 'request', idempotencyKey });
const identities: Identities = {
  of: <Id extends string>(_: string, { idempotencyKey }: { idempotencyKey?: string }, body: unknown) => ({
    id: idempotencyKey as Id,
    bodyDigest: JSON.stringify(body),
  }),
};

describe('a redelivery request', () => {
  const clock = manualClock();
  let scene: ReturnType<typeof openDeliveries>;
  let enqueued: Work[];
  let work: WorkQueue;
  beforeEach(async () => {
    scene = openDeliveries(clock);
    await scene.putEndpoint();
    enqueued = [];
    work = override(scene.work, { enqueue });
  });

  const enqueue = async (piece: Work): Promise<boolean> => !enqueued.some(({ id }) => id === piece.id) && enqueued.push(piece) > 0;

  const redeliver = (key: string, since = SINCE): Promise<unknown> =>
    redeliverSince({ documents: scene.documents, work, identities, clock }, new RedeliverSince(WEBHOOK, { since }, request(key)));
  const finish = async (id: string): Promise<void> => {
    const redeliveries = new RedeliveryStore(scene.documents);
    const stored = await redeliveries.find(id);
    if (stored) await redeliveries.replace(stored, { ...stored.redelivery, status: 'done' });
  };

  it('for a time range is rejected while another redelivery is running, and accepted afterwards', async () => {
    expect(await redeliver('first')).toMatchObject({ id: 'first' });
    expect([await redeliver('second'), enqueued.map(({ id }) => id)]).toEqual([{ rejected: 'redelivery_running' }, ['first']]);
    await finish('first');
    expect(await redeliver('second')).toMatchObject({ id: 'second' });
  });

  it('for a time range is accepted only once if 20 requests arrive at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, nth) => redeliver(`key ${nth}`)));
    const refused = { rejected: 'redelivery_running' };
    expect(answers.filter((answer) => JSON.stringify(answer) === JSON.stringify(refused))).toHaveLength(19);
    expect(enqueued).toHaveLength(1);
  });

  it('is enqueued by the next request if the service crashed before the enqueue', async () => {
    work = override(scene.work, { enqueue: () => Promise.reject(new Error('killed')) });
    await expect(redeliver('first')).rejects.toThrow('killed');
    work = override(scene.work, { enqueue });
    expect([await redeliver('second'), enqueued.map(({ id }) => id)]).toEqual([{ rejected: 'redelivery_running' }, ['first']]);
  });

  it('is enqueued by a repeated request if the service crashed before the enqueue', async () => {
    work = override(scene.work, { enqueue: () => Promise.reject(new Error('killed')) });
    await expect(redeliver('first')).rejects.toThrow('killed');
    work = override(scene.work, { enqueue });
    expect([await redeliver('first'), enqueued.map(({ id }) => id)]).toEqual([expect.objectContaining({ id: 'first' }), ['first']]);
  });

  it('for a future time range is rejected', async () => {
    const later = new Date(clock.now().getTime() + 1_000).toISOString();
    expect([await redeliver('early', later), enqueued]).toEqual([{ rejected: 'stretch_not_begun' }, []]);
  });

  it('returns the running redelivery when it is repeated', async () => {
    await redeliver('first');
    expect(await redeliver('first')).toMatchObject({ id: 'first' });
    expect(await redeliver('first', '2026-01-03T00:00:00.000Z')).toEqual({ rejected: 'idempotency_key_reused' });
    expect(enqueued).toHaveLength(1);
  });

  it('returns the first redelivery when it is repeated, even if the endpoint was disabled since', async () => {
    await redeliver('first');
    await scene.putEndpoint({ status: 'disabled' });
    expect(await redeliver('first')).toMatchObject({ id: 'first' });
    expect(await redeliver('second')).toEqual({ rejected: 'webhook_disabled' });
  });

  it('for one delivery does not wait for a redelivery of a time range', async () => {
    await redeliver('first');
    await scene.deliveries.putNew(pendingDelivery('delivery'));
    const keys = { reveal: async () => null } as unknown as KeyVault;
    const ports = { documents: scene.documents, keys, work, identities, clock };
    await redeliverOne(ports, new Redeliver(WEBHOOK, 'delivery', request('one')));
    const [ofRange, ofOne] = enqueued;
    expect([ofRange?.lane, ofOne?.lane]).toEqual([`shared/${WEBHOOK}`, `shared/${WEBHOOK}`]);
    expect(ofOne?.queue).not.toBe(ofRange?.queue);
  });
});
