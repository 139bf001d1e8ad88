import { afterEach, describe, expect, it } from '@jest/globals';
import type { ParkedList, RetryResults } from '../../apps/api/ops/parked/parked.dto.js';
import { dayOf } from '../../libs/eventsourcing/day.js';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { readHistory } from '../../libs/runtime/codec/verified-history.js';
import { eventually } from '../eventually.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { snapshotOf } from '../servers/snapshot.js';
import { failingProjections, POISON, REJECTS } from './failing-projections.js';
import { openInProcessStore, type InProcessPetstore } from './in-process-petstore.js';
import { openWebhookStore, type WebhookStore } from './webhook-petstore.js';
import { differencesFromReplay } from './replay.js';

let open: InProcessPetstore | WebhookStore | undefined;

afterEach(async () => {
  if (open && 'close' in open) await open.close();
  else await open?.stop();
  open = undefined;
  removeFolders();
});

const parkedIn = async ({ call }: InProcessPetstore, query = ''): Promise<ParkedList> =>
  (await call('GET', `/v1/ops/parked${query}`)).json as unknown as ParkedList;
const retry = async ({ call }: InProcessPetstore, body: object): Promise<RetryResults> => {
  const { status, json } = await call('POST', '/v1/ops/parked/retry', { body });
  expect([status, json]).toEqual([200, expect.anything()]);
  return json as unknown as RetryResults;
};
const listPet = async ({ call }: InProcessPetstore, name: string): Promise<string> =>
  String((await call('POST', '/v1/pets', { body: { name, species: 'BIRD', ageMonths: 2 } })).json['id']);
const actionsIn = async ({ store }: InProcessPetstore): Promise<readonly object[]> =>
  (await readHistory(store, `operations-${dayOf(store.clock.now())}`)).map(({ type, data, meta }) => ({ type, data, actor: meta.actor }));

/** Proves contract 43.1, contract 43.2 and contract 43.3. */
describe('what is parked', () => {
  it('is listed by cause; a trial changes nothing; a retry after the repair releases it, and is in the log', async () => {
    const dataDir = newFolder();
    let isRepaired = false;
    const service = await openInProcessStore(dataDir, { projections: failingProjections('PetListed', () => isRepaired) });
    open = service;
    expect(await parkedIn(service)).toEqual({ count: 0, isComplete: true, causes: [] });
    const pets = [await listPet(service, POISON), await listPet(service, 'Other'), await listPet(service, POISON)];
    const list = await parkedIn(service);
    const [group] = list.causes;
    expect(list).toMatchObject({ count: 2, isComplete: true, causes: [{ kind: 'stream', name: 'pets', count: 2 }] });
    expect(group?.items.map(({ stream, revision, eventType, error }) => [stream, revision, eventType, error])).toEqual(
      [pets[0], pets[2]].map((id) => [`pet-${id}`, 0, 'PetListed', `${REJECTS} in pet-${id}`]),
    );
    expect(await parkedIn(service, '?cause=altered')).toMatchObject({ count: 0 });

    const { cause } = group as { readonly cause: string };
    expect(await retry(service, { cause, trial: true })).toMatchObject({ trial: true, results: [{ outcome: 'released' }, {}] });
    expect(await parkedIn(service)).toMatchObject({ count: 2 });
    expect(await actionsIn(service)).toEqual([]);

    const one = { name: 'pets', stream: `pet-${pets[0]}` };
    const failed = await retry(service, { ...one, reason: 'to see whether it still fails' });
    expect(failed.results).toMatchObject([{ ...one, revision: 0, outcome: 'parked', error: `${REJECTS} in pet-${pets[0]}` }]);
    isRepaired = true;
    const { results } = await retry(service, { all: true });
    expect(results.map(({ stream, outcome }) => [stream, outcome])).toEqual([
      [`pet-${pets[0]}`, 'released'],
      [`pet-${pets[2]}`, 'released'],
    ]);
    expect(await parkedIn(service)).toMatchObject({ count: 0 });
    expect(await retry(service, { all: true })).toEqual({ trial: false, results: [] });
    expect(await actionsIn(service)).toEqual([
      { type: 'ParkedRetried', actor: 'staff', data: { ...one, reason: 'to see whether it still fails' } },
      { type: 'ParkedRetried', actor: 'staff', data: {} },
    ]);
    await eventually('the read models to equal a replay', () => differencesFromReplay(snapshotOf(dataDir)).length === 0);
  });

  it('has deliveries that a retry sends again, once their endpoint answers', async () => {
    const store = await openWebhookStore(':memory:', manualClock(), { WEBHOOK_RETRY_DELAYS: '1s' });
    open = store;
    const { service } = store;
    store.receiver.respondWith(() => ({ status: 503 }));
    const { id } = await store.register();
    await store.listPet();
    const dead = await store.waitForNewest(id, 'parked', ({ status }) => status === 'parked');
    const [group] = (await parkedIn(service)).causes;
    expect(group).toMatchObject({ kind: 'delivery', name: 'deliveries', cause: 'exhausted', count: 1 });
    expect(group?.items).toMatchObject([{ deliveryId: dead.id, webhookId: id, error: 'the receiver answered 503' }]);
    store.receiver.respondWith(() => ({ status: 200 }));
    expect((await retry(service, { cause: 'exhausted', reason: 'the receiver is up' })).results).toMatchObject([
      { name: 'deliveries', deliveryId: dead.id, outcome: 'sent' },
    ]);
    expect((await store.waitForNewest(id, 'delivered', ({ status }) => status === 'delivered')).id).toBe(dead.id);
  });

  it.each([
    ['nothing', {}, 'all'],
    ['two of them', { cause: 'exhausted', all: true }, 'all'],
    ['a name without a stream', { name: 'pets' }, 'stream'],
    ['a reason that is too long', { all: true, reason: 'x'.repeat(501) }, 'reason'],
  ])('is not retried if the request chooses %s', async (_, body, field) => {
    const service = await openInProcessStore(':memory:');
    open = service;
    const { status, json } = await service.call('POST', '/v1/ops/parked/retry', { body });
    expect([status, json['errors']]).toMatchObject([422, [{ field }]]);
  });
});
