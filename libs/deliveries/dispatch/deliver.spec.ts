import { beforeEach, describe, expect, it } from '@jest/globals';
import type { WebhookEvent } from '../../domain/webhooks/webhook.events.js';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';
import { recorded } from '../../eventsourcing/testing/recorded.js';
import { HOOK, openDeliveries, pendingDelivery, WEBHOOK } from '../deliveries.fixtures.js';
import type { DeliveryCommand } from '../delivery.js';
import { deliver, type DeliverContext, type DisabledNotice } from './deliver.js';
import { FailingEndpoints } from './failing-endpoints.js';
import { workOf } from './send.js';

const terms = { url: HOOK, events: ['pet.statusChanged'], ordered: false } as const;
const registered: WebhookEvent = { type: 'WebhookRegistered', data: terms };
const moved: WebhookEvent = { type: 'WebhookRevised', data: { ...terms, url: 'https://shop.example.com/moved' } };
const disabled: WebhookEvent = { type: 'WebhookDisabled', data: { reason: 'gone' } };

describe('a delivery that is answered with 410', () => {
  const clock = manualClock();
  let scene: ReturnType<typeof openDeliveries>;
  let notices: DisabledNotice[];
  let asked: DeliveryCommand[];
  /** What disabling comes to, one for each time that it is asked for. */
  let answers: (() => { readonly rejected: string } | null)[];

  const happens = (...events: readonly WebhookEvent[]): void =>
    void scene.log.splice(0, Infinity, ...recorded(events, `webhook-${WEBHOOK}`));
  const statusOf = async (id: string): Promise<string | undefined> => (await scene.deliveries.read(id))?.status;
  const isAnswered410 = async (): Promise<void> => {
    const delivering = {
      ...scene,
      keys: {},
      egress: { post: async () => ({ status: 410, headers: {}, body: '' }) },
      signing: { signer: { sign: () => 'v1,x' }, secrets: { of: () => 'whsec_' } },
      failing: new FailingEndpoints(scene.documents),
      retrying: { delays: [0, 1_000], random: () => 0 },
      perform: async (command: DeliveryCommand) => (asked.push(command), answers.shift()?.() ?? null),
      onDisabled: (notice: DisabledNotice) => void notices.push(notice),
    } as unknown as DeliverContext;
    const [answered, other] = [pendingDelivery('answered'), pendingDelivery('other')];
    await scene.deliveries.putNew(answered);
    await scene.deliveries.putNew(other);
    await deliver(delivering, { ...workOf(answered), attempt: 1 });
  };

  beforeEach(async () => {
    scene = openDeliveries(clock);
    [notices, asked, answers] = [[], [], []];
    await scene.putEndpoint();
    happens(registered);
  });

  it('disables its endpoint with a notice, and parks what else is on its way there', async () => {
    answers = [() => (happens(registered, disabled), null)];
    await isAnswered410();
    expect(notices).toEqual([{ webhookId: WEBHOOK, tenant: 'shared', url: HOOK, reason: 'gone' }]);
    expect([await statusOf('answered'), await statusOf('other')]).toEqual(['parked', 'parked']);
  });

  it('leaves an endpoint alone that has moved to another address meanwhile', async () => {
    happens(registered, moved);
    await isAnswered410();
    expect([notices, await statusOf('other')]).toEqual([[], 'pending']);
  });

  it('says nothing of an endpoint that its owner switched off meanwhile, and parks what is on its way there', async () => {
    happens(registered, { type: 'WebhookDisabled', data: { reason: 'requested' } });
    await isAnswered410();
    expect([notices, await statusOf('other')]).toEqual([[], 'parked']);
  });

  it('asks again where others changed the endpoint at the same time', async () => {
    answers = [() => ({ rejected: 'contended' }), () => (happens(registered, disabled), null)];
    await isAnswered410();
    expect([asked.length, notices.length, await statusOf('other')]).toEqual([2, 1, 'parked']);
  });
});
