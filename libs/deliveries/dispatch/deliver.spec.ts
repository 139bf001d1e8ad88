import { beforeEach, describe, expect, it } from '@jest/globals';
import type { WebhookEvent } from '../../domain/webhooks/webhook.events.js';
import { manualClock, type ManualClock } from '../../eventsourcing/testing/manual-clock.js';
import { recorded } from '../../eventsourcing/testing/recorded.js';
import { encrypt } from '../../runtime/codec/cipher.js';
import { subjectsIn } from '../../runtime/codec/sealing.js';
import { HOOK, openDeliveries, pendingDelivery, WEBHOOK } from '../deliveries.fixtures.js';
import type { Delivery, DeliveryCommand } from '../delivery.js';
import { deliver, type DeliverContext, type DisabledNotice } from './deliver.js';
import { FailingEndpoints } from './failing-endpoints.js';
import { storeAndSend, workOf } from './send.js';

const terms = { url: HOOK, events: ['pet.statusChanged'], ordered: false } as const;
const registered: WebhookEvent = { type: 'WebhookRegistered', data: terms };
const moved: WebhookEvent = { type: 'WebhookRevised', data: { ...terms, url: 'https://shop.example.com/moved' } };
const disabled: WebhookEvent = { type: 'WebhookDisabled', data: { reason: 'gone' } };

describe('a delivery with the response 410', () => {
  const clock = manualClock();
  let scene: ReturnType<typeof openDeliveries>;
  let notices: DisabledNotice[];
  let commands: DeliveryCommand[];
  /** The outcomes of the commands, in order. */
  let outcomes: (() => { readonly rejected: string } | null)[];

  const record = (...events: readonly WebhookEvent[]): void =>
    void scene.log.splice(0, Infinity, ...recorded(events, `webhook-${WEBHOOK}`));
  const statusOf = async (id: string): Promise<string | undefined> => (await scene.deliveries.read(id))?.status;
  const respond410 = async (): Promise<void> => {
    const context = {
      ...scene,
      keys: {},
      egress: { post: async () => ({ status: 410, headers: {}, body: '' }) },
      signing: { signer: { sign: () => 'v1,x' }, secrets: { of: () => 'whsec_' } },
      failing: new FailingEndpoints(scene.documents),
      retrying: { delays: [0, 1_000], random: () => 0 },
      execute: async (command: DeliveryCommand) => (commands.push(command), outcomes.shift()?.() ?? null),
      onDisabled: (notice: DisabledNotice) => void notices.push(notice),
    } as unknown as DeliverContext;
    const [gone, other] = [pendingDelivery('gone'), pendingDelivery('other')];
    await scene.deliveries.putNew(gone);
    await scene.deliveries.putNew(other);
    await deliver(context, { ...workOf(gone), attempt: 1, retries: 0 });
  };

  beforeEach(async () => {
    scene = openDeliveries(clock);
    [notices, commands, outcomes] = [[], [], []];
    await scene.putEndpoint();
    record(registered);
  });

  it('disables its endpoint, reports that, and parks the endpoint’s other deliveries', async () => {
    outcomes = [() => (record(registered, disabled), null)];
    await respond410();
    expect(notices).toEqual([{ webhookId: WEBHOOK, tenant: 'shared', url: HOOK, reason: 'gone' }]);
    expect([await statusOf('gone'), await statusOf('other')]).toEqual(['parked', 'parked']);
  });

  it('does not disable its endpoint if the URL of the endpoint has changed', async () => {
    record(registered, moved);
    await respond410();
    expect([notices, await statusOf('other')]).toEqual([[], 'pending']);
  });

  it('does not report an endpoint that its owner disabled meanwhile, but parks its other deliveries', async () => {
    record(registered, { type: 'WebhookDisabled', data: { reason: 'requested' } });
    await respond410();
    expect([notices, await statusOf('other')]).toEqual([[], 'parked']);
  });

  it('disables its endpoint even after a concurrent change of the endpoint', async () => {
    outcomes = [() => ({ rejected: 'contended' }), () => (record(registered, disabled), null)];
    await respond410();
    expect([commands.length, notices.length, await statusOf('other')]).toEqual([2, 1, 'parked']);
  });
});

describe('a delivery that was deleted before its work was completed', () => {
  it('is not sent again, and the next delivery of its sequence follows', async () => {
    const clock = manualClock();
    const scene = openDeliveries(clock);
    const sequence = `${WEBHOOK}/pet-1`;
    const first = pendingDelivery('first', { sequence, status: 'delivered', nextAttemptAt: null });
    await scene.deliveries.putNew(first);
    await scene.deliveries.putNew(pendingDelivery('second', { sequence, status: 'waiting', revision: 1 }));
    await scene.deliveries.delete([{ delivery: first, revision: 0 }], clock.now());
    await deliver(scene as unknown as DeliverContext, { ...workOf(first), attempt: 1, retries: 0 });
    expect([await scene.deliveries.read('first'), scene.enqueued]).toEqual([null, ['second:0']]);
  });
});

/** Proves contract 17.3. */
describe('a process that crashes while it ends a callback', () => {
  it('completes the work only after the outcome is recorded, so the work is performed again', async () => {
    const scene = openDeliveries(manualClock());
    const target = { kind: 'callback', orderId: 'o', requestId: 'r', url: HOOK } as unknown as Delivery['target'];
    const delivery = pendingDelivery('d', { target, status: 'delivered', nextAttemptAt: null });
    await scene.deliveries.putNew(delivery);
    const steps: string[] = [];
    const crash = new Error('crashed');
    let isFirst = true;
    const context = {
      ...scene,
      work: { ...scene.work, complete: async () => steps.push('completed') > 0 },
      execute: async ({ type }: DeliveryCommand) => {
        steps.push(type);
        if (!isFirst) return null;
        isFirst = false;
        throw crash;
      },
    } as unknown as DeliverContext;
    const work = { ...workOf(delivery), attempt: 1, retries: 0 };
    await expect(deliver(context, work)).rejects.toBe(crash);
    await deliver(context, work);
    expect(steps).toEqual(['EndOrderCallback', 'EndOrderCallback', 'completed']);
  });
});

/** Proves contract 20.4. */
describe('the pause after a failed attempt', () => {
  const FIVE_MINUTES = 300_000;

  /** Makes a failed attempt, with work that has the given number of retries. */
  const failOnce = async (
    clock: ManualClock,
    scene: ReturnType<typeof openDeliveries>,
    work: ReturnType<typeof workOf>,
    retries: number,
  ) => {
    let attempts = 0;
    const context = {
      ...scene,
      keys: {},
      egress: { post: async () => (attempts++, clock.advance(40), { status: 500, headers: {}, body: '' }) },
      signing: { signer: { sign: () => 'v1,x' }, secrets: { of: () => 'whsec_' } },
      failing: new FailingEndpoints(scene.documents),
      retrying: { delays: [0, FIVE_MINUTES, FIVE_MINUTES], random: () => 0 },
    } as unknown as DeliverContext;
    await deliver(context, { ...work, attempt: 1, retries });
    return attempts;
  };

  it.each([-86_400_000, 0, 86_400_000])(
    'is kept by a process whose clock differs by %i ms, after the process of the attempt crashed',
    async (change) => {
      const clock = manualClock();
      const scene = openDeliveries(clock);
      await scene.putEndpoint();
      const delivery = pendingDelivery('d');
      await scene.deliveries.putNew(delivery);
      expect(await failOnce(clock, scene, workOf(delivery), 0)).toBe(1);
      // The call of `retryAfter` is lost in the crash. So the work is claimed again, with the same number of retries.
      clock.set(clock.now().getTime() + change);
      expect(await failOnce(clock, scene, workOf(delivery), 0)).toBe(0);
      expect(scene.retried).toEqual([
        ['d:0', FIVE_MINUTES],
        ['d:0', FIVE_MINUTES],
      ]);
      expect(await failOnce(clock, scene, workOf(delivery), 1)).toBe(1);
    },
  );

  it('is kept when the delivery is copied to another store', async () => {
    const clock = manualClock();
    const scene = openDeliveries(clock);
    await scene.putEndpoint();
    await scene.deliveries.putNew(pendingDelivery('d'));
    await failOnce(clock, scene, workOf(pendingDelivery('d')), 0);
    const failed = await scene.deliveries.read('d');
    if (!failed) throw new Error('the delivery is missing');
    clock.advance(1_000);
    const copy = openDeliveries(clock);
    await copy.putEndpoint();
    await storeAndSend(copy, failed);
    expect(copy.delays).toEqual([['d:0', FIVE_MINUTES - 1_000]]);
    expect(await failOnce(clock, copy, workOf(failed), 0)).toBe(1);
  });
});

/** Proves contract 23.7. */
describe('the answer of a receiver', () => {
  const answer = async (body: string): Promise<string> => {
    const scene = openDeliveries(manualClock());
    await scene.putEndpoint();
    const context = {
      ...scene,
      keys: { personalKey: async () => new Uint8Array(32).fill(7) },
      egress: { post: async () => ({ status: 500, headers: {}, body: 'no Ada Lovelace here' }) },
      signing: { signer: { sign: () => 'v1,x' }, secrets: { of: () => 'whsec_' } },
      failing: new FailingEndpoints(scene.documents),
      retrying: { delays: [0, 1_000], random: () => 0 },
    } as unknown as DeliverContext;
    const delivery = pendingDelivery('d', { body });
    await scene.deliveries.putNew(delivery);
    await deliver(context, { ...workOf(delivery), attempt: 1, retries: 0 });
    return JSON.stringify((await scene.deliveries.read('d'))?.attempts[0]?.answer);
  };

  it('is stored in plain text if the body of the delivery has no personal value', async () => {
    expect(await answer('{"pet":1}')).toBe('"no Ada Lovelace here"');
  });

  it('is encrypted with the keys of all persons in the body', async () => {
    const name = (key: Uint8Array) => ({ $sealed: encrypt(key, 'Ada', { owner: 'user:1', nonce: '' }), subject: 'user:1' });
    const stored = await answer(JSON.stringify({ name: name(new Uint8Array(32).fill(7)) }));
    expect(stored).not.toContain('Ada');
    expect(subjectsIn(stored)).toEqual(['user:1']);
  });
});
