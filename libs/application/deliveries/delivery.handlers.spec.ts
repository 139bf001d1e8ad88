import { beforeEach, describe, expect, it } from '@jest/globals';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';
import type { Work, WorkQueue } from '../../eventsourcing/ports/work-queue.port.js';
import type { Identities } from '../identities.js';
import { openDeliveries, pendingDelivery, WEBHOOK } from '../../deliveries/deliveries.fixtures.js';
import { RedeliverHandler, RedeliverSinceHandler } from './delivery.handlers.js';
import { Redeliver, RedeliverSince } from './delivery.handlers.js';
import { RedeliveryStore } from '../../deliveries/redelivery/redelivery.js';

const SINCE = '2026-01-02T00:00:00.000Z';
const request = (idempotencyKey: string) => ({ tenant: 'shared', actor: 'keeper', requestId: 'request', idempotencyKey });
const identities: Identities = {
  of: <Id extends string>(_: string, { idempotencyKey }: { idempotencyKey?: string }, body: unknown) => ({
    id: idempotencyKey as Id,
    bodyDigest: JSON.stringify(body),
  }),
};

describe('asking to send something once more', () => {
  const clock = manualClock();
  let scene: ReturnType<typeof openDeliveries>;
  let enqueued: Work[];
  let work: WorkQueue;
  beforeEach(async () => {
    scene = openDeliveries(clock);
    await scene.putEndpoint();
    enqueued = [];
    work = { ...scene.work, enqueue };
  });

  const enqueue = async (piece: Work): Promise<boolean> => !enqueued.some(({ id }) => id === piece.id) && enqueued.push(piece) > 0;

  const askFor = (key: string, since = SINCE): Promise<unknown> =>
    new RedeliverSinceHandler(scene.documents, work, identities, clock).execute(new RedeliverSince(WEBHOOK, { since }, request(key)));
  const isDone = async (id: string): Promise<void> => {
    const redeliveries = new RedeliveryStore(scene.documents);
    const kept = await redeliveries.find(id);
    if (kept) await redeliveries.replace(kept, { ...kept.redelivery, status: 'done' });
  };

  it('a stretch of time is refused while another is under way, and accepted when that is done', async () => {
    expect(await askFor('first')).toMatchObject({ id: 'first' });
    expect([await askFor('second'), enqueued.map(({ id }) => id)]).toEqual([{ rejected: 'redelivery_running' }, ['first']]);
    await isDone('first');
    expect(await askFor('second')).toMatchObject({ id: 'second' });
  });

  it('of 20 stretches of time at once one is under way', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, nth) => askFor(`key ${nth}`)));
    const refused = { rejected: 'redelivery_running' };
    expect(answers.filter((answer) => JSON.stringify(answer) === JSON.stringify(refused))).toHaveLength(19);
    expect(enqueued).toHaveLength(1);
  });

  it('a stretch of time whose process died before it was work is work once another is asked for', async () => {
    work = { ...scene.work, enqueue: () => Promise.reject(new Error('killed')) };
    await expect(askFor('first')).rejects.toThrow('killed');
    work = { ...scene.work, enqueue };
    expect([await askFor('second'), enqueued.map(({ id }) => id)]).toEqual([{ rejected: 'redelivery_running' }, ['first']]);
  });

  it('a stretch of time whose process died before it was work is work once it is asked for again', async () => {
    work = { ...scene.work, enqueue: () => Promise.reject(new Error('killed')) };
    await expect(askFor('first')).rejects.toThrow('killed');
    work = { ...scene.work, enqueue };
    expect([await askFor('first'), enqueued.map(({ id }) => id)]).toEqual([expect.objectContaining({ id: 'first' }), ['first']]);
  });

  it('a stretch of time that has not begun is refused', async () => {
    const later = new Date(clock.now().getTime() + 1_000).toISOString();
    expect([await askFor('early', later), enqueued]).toEqual([{ rejected: 'stretch_not_begun' }, []]);
  });

  it('a stretch of time for the second time answers the one that is under way', async () => {
    await askFor('first');
    expect(await askFor('first')).toMatchObject({ id: 'first' });
    expect(await askFor('first', '2026-01-03T00:00:00.000Z')).toEqual({ rejected: 'idempotency_key_reused' });
    expect(enqueued).toHaveLength(1);
  });

  it('a stretch of time for the second time answers the first one, though the endpoint has been disabled since', async () => {
    await askFor('first');
    await scene.putEndpoint({ status: 'disabled' });
    expect(await askFor('first')).toMatchObject({ id: 'first' });
    expect(await askFor('second')).toEqual({ rejected: 'webhook_disabled' });
  });

  it('one delivery waits behind no stretch of time', async () => {
    await askFor('first');
    await scene.deliveries.putNew(pendingDelivery('delivery'));
    const keys = { reveal: async () => null } as unknown as KeyVault;
    await new RedeliverHandler(scene.documents, keys, work, identities, clock).execute(new Redeliver(WEBHOOK, 'delivery', request('one')));
    const [stretch, one] = enqueued;
    expect([stretch?.lane, one?.lane]).toEqual([`shared/${WEBHOOK}`, `shared/${WEBHOOK}`]);
    expect(one?.queue).not.toBe(stretch?.queue);
  });
});
