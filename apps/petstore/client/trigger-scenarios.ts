import { WEBHOOK_TEST, type WebhookEventType } from '../../../libs/contracts/webhook-contract.js';
import { ANNOUNCED_EVENTS } from '../../../libs/domain/webhooks/webhook.events.js';
import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';
import { CommandError } from '../errors/command-error.js';
import { pause } from '../terminal/pause.js';
import type { Answer, ReachedStore } from './store-client.js';

/** What can be made to happen. */
export const TRIGGERED_EVENTS = [...ANNOUNCED_EVENTS, WEBHOOK_TEST] as const;

/** Told each time the store was asked for something that changes it, or has come to where it should. */
type Step = { readonly method: string; readonly path: string; readonly status: number; readonly came: string };

/** Where a scene plays: in a store, and who watches. */
type Stage = {
  readonly store: ReachedStore;
  readonly clock: Clock;
  readonly onStep: (step: Step) => void;
  /** The endpoint that a test goes to. */
  readonly webhookId?: string;
};

type Thing = { readonly id: string; readonly status: string };

const PET = { name: 'Biscuit', species: 'DOG', breed: 'Beagle', ageMonths: 14, size: 'MEDIUM', goodWithKids: true };
const PRICE = { amount: '250.00', currency: 'USD' };
/** "4242424242424242 succeeds, 4000000000000002 is declined." */
const GOOD_CARD = '4242424242424242';
const DECLINED_CARD = '4000000000000002';

/** Makes the event really happen, as any client would. */
export const SCENES: Readonly<Record<WebhookEventType, { readonly does: string; play(stage: Stage): Promise<void> }>> = {
  'pet.statusChanged': {
    does: 'lists a pet',
    play: async (stage) => void (await listPet(stage)),
  },
  'order.statusChanged': {
    does: 'lists a pet and orders it',
    play: async (stage) => void (await orderPet(stage)),
  },
  'payment.succeeded': {
    does: 'lists a pet, orders it and pays with the test card; the order is approved',
    play: async (stage) => void (await sellPet(stage)),
  },
  'payment.failed': {
    does: 'lists a pet, orders it and pays with the card that is declined',
    async play(stage) {
      const { order } = await orderPet(stage);
      await pay(stage, order.id, DECLINED_CARD);
      await becomes(stage, `/v1/orders/${order.id}/payment`, 'failed');
    },
  },
  'pet.adopted': {
    does: 'lists a pet, orders it and pays; the pet is adopted',
    async play(stage) {
      const { pet } = await sellPet(stage);
      await becomes(stage, `/v1/pets/${pet.id}`, 'ADOPTED');
    },
  },
  'webhook.test': {
    does: 'sends a test to the endpoint that --webhook names',
    async play(stage) {
      if (stage.webhookId === undefined) throw new CommandError('webhook.test goes to one endpoint: say which, as --webhook ID');
      await change(stage, `/v1/webhooks/${stage.webhookId}/test`);
    },
  },
};

/** The events with what is done for each, for the command's help. */
export const triggersHelp = (): string =>
  `\nEvents:\n${TRIGGERED_EVENTS.map((event) => `  ${event.padEnd(20)} ${SCENES[event].does}`).join('\n')}\n`;

const listPet = (stage: Stage): Promise<Thing> => change(stage, '/v1/pets', { ...PET, price: PRICE.amount, currency: PRICE.currency });

const orderPet = async (stage: Stage): Promise<{ readonly pet: Thing; readonly order: Thing }> => {
  const pet = await listPet(stage);
  return { pet, order: await change(stage, '/v1/orders', { petId: pet.id, userId: 'trigger' }) };
};

const pay = (stage: Stage, orderId: string, number: string): Promise<Thing> => {
  const source = { object: 'card', name: 'Ada Lovelace', number, cvc: '123', expMonth: 12, expYear: 2099 };
  return change(stage, `/v1/orders/${orderId}/payment`, { ...PRICE, source });
};

const sellPet = async (stage: Stage): Promise<{ readonly pet: Thing; readonly order: Thing }> => {
  const { pet, order } = await orderPet(stage);
  await pay(stage, order.id, GOOD_CARD);
  await becomes(stage, `/v1/orders/${order.id}`, 'approved');
  return { pet, order };
};

const change = async ({ store, onStep }: Stage, path: string, body?: unknown): Promise<Thing> => {
  const { status, json } = await store.ask<Thing>('POST', path, body);
  onStep({ method: 'POST', path, status, came: `${json.id} ${json.status}` });
  return json;
};

/** Longer than the slowest workers take: after that, none is running. */
const BECOMES_WITHIN = 60_000;
const LOOKS_EVERY = 100;

const becomes = async ({ store, clock, onStep }: Stage, path: string, wanted: string): Promise<void> => {
  const begun = clock.now().getTime();
  let answer: Answer<Thing> = await store.ask<Thing>('GET', path);
  while (answer.json.status !== wanted) {
    if (clock.now().getTime() - begun > BECOMES_WITHIN)
      throw new CommandError(`${path} is still ${answer.json.status} and not ${wanted}: does a worker run, with its consumers?`);
    await pause(LOOKS_EVERY);
    answer = await store.ask<Thing>('GET', path);
  }
  onStep({ method: 'GET', path, status: answer.status, came: `${answer.json.id} ${wanted}` });
};
