import { WEBHOOK_TEST, type WebhookEventType } from '../../../libs/contracts/webhook-contract.js';
import { SUBSCRIBABLE_EVENTS } from '../../../libs/domain/webhooks/webhook.events.js';
import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';
import { CommandError } from '../errors/command-error.js';
import { pause } from '../terminal/pause.js';
import type { Answer, StoreClient } from './store-client.js';

/** What can be made to happen. */
export const TRIGGERED_EVENTS = [...SUBSCRIBABLE_EVENTS, WEBHOOK_TEST] as const;

/** Told each time the store was asked for something that changes it, or has come to where it should. */
type Step = { readonly method: string; readonly path: string; readonly status: number; readonly outcome: string };

/** Where a scene plays: in a store, and who watches. */
type ScenarioContext = {
  readonly store: StoreClient;
  readonly clock: Clock;
  readonly onStep: (step: Step) => void;
  /** The endpoint that a test goes to. */
  readonly webhookId?: string;
};

type Resource = { readonly id: string; readonly status: string };

const PET = { name: 'Biscuit', species: 'DOG', breed: 'Beagle', ageMonths: 14, size: 'MEDIUM', goodWithKids: true };
const PRICE = { amount: '250.00', currency: 'USD' };
/** "4242424242424242 succeeds, 4000000000000002 is declined." */
const GOOD_CARD = '4242424242424242';
const DECLINED_CARD = '4000000000000002';

/** Makes the event really happen, as any client would. */
export const SCENARIOS: Readonly<Record<WebhookEventType, { readonly description: string; run(stage: ScenarioContext): Promise<void> }>> = {
  'pet.statusChanged': {
    description: 'lists a pet',
    run: async (stage) => void (await listPet(stage)),
  },
  'order.statusChanged': {
    description: 'lists a pet and orders it',
    run: async (stage) => void (await orderPet(stage)),
  },
  'payment.succeeded': {
    description: 'lists a pet, orders it and pays with the test card; the order is approved',
    run: async (stage) => void (await sellPet(stage)),
  },
  'payment.failed': {
    description: 'lists a pet, orders it and pays with the card that is declined',
    async run(stage) {
      const { order } = await orderPet(stage);
      await pay(stage, order.id, DECLINED_CARD);
      await waitForStatus(stage, `/v1/orders/${order.id}/payment`, 'failed');
    },
  },
  'pet.adopted': {
    description: 'lists a pet, orders it and pays; the pet is adopted',
    async run(stage) {
      const { pet } = await sellPet(stage);
      await waitForStatus(stage, `/v1/pets/${pet.id}`, 'ADOPTED');
    },
  },
  'webhook.test': {
    description: 'sends a test to the endpoint that --webhook names',
    async run(stage) {
      if (stage.webhookId === undefined) throw new CommandError('webhook.test goes to one endpoint: say which, as --webhook ID');
      await post(stage, `/v1/webhooks/${stage.webhookId}/test`);
    },
  },
};

/** The events with what is done for each, for the command's help. */
export const describeTriggers = (): string =>
  `\nEvents:\n${TRIGGERED_EVENTS.map((event) => `  ${event.padEnd(20)} ${SCENARIOS[event].description}`).join('\n')}\n`;

const listPet = (stage: ScenarioContext): Promise<Resource> =>
  post(stage, '/v1/pets', { ...PET, price: PRICE.amount, currency: PRICE.currency });

const orderPet = async (stage: ScenarioContext): Promise<{ readonly pet: Resource; readonly order: Resource }> => {
  const pet = await listPet(stage);
  return { pet, order: await post(stage, '/v1/orders', { petId: pet.id, userId: 'trigger' }) };
};

const pay = (stage: ScenarioContext, orderId: string, number: string): Promise<Resource> => {
  const source = { object: 'card', name: 'Ada Lovelace', number, cvc: '123', expMonth: 12, expYear: 2099 };
  return post(stage, `/v1/orders/${orderId}/payment`, { ...PRICE, source });
};

const sellPet = async (stage: ScenarioContext): Promise<{ readonly pet: Resource; readonly order: Resource }> => {
  const { pet, order } = await orderPet(stage);
  await pay(stage, order.id, GOOD_CARD);
  await waitForStatus(stage, `/v1/orders/${order.id}`, 'approved');
  return { pet, order };
};

const post = async ({ store, onStep }: ScenarioContext, path: string, body?: unknown): Promise<Resource> => {
  const { status, json } = await store.request<Resource>('POST', path, body);
  onStep({ method: 'POST', path, status, outcome: `${json.id} ${json.status}` });
  return json;
};

/** Longer than the slowest workers take: after that, none is running. */
const STATUS_TIMEOUT = 60_000;
const POLL_INTERVAL = 100;

const waitForStatus = async ({ store, clock, onStep }: ScenarioContext, path: string, wanted: string): Promise<void> => {
  const begun = clock.now().getTime();
  let answer: Answer<Resource> = await store.request<Resource>('GET', path);
  while (answer.json.status !== wanted) {
    if (clock.now().getTime() - begun > STATUS_TIMEOUT)
      throw new CommandError(`${path} is still ${answer.json.status} and not ${wanted}: does a worker run, with its consumers?`);
    await pause(POLL_INTERVAL);
    answer = await store.request<Resource>('GET', path);
  }
  onStep({ method: 'GET', path, status: answer.status, outcome: `${answer.json.id} ${wanted}` });
};
