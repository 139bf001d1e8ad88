import { WEBHOOK_TEST, type WebhookEventType } from '../../../libs/contracts/webhook-contract.js';
import { SUBSCRIBABLE_EVENTS } from '../../../libs/domain/webhooks/webhook.events.js';
import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';
import { CommandError } from '../errors/command-error.js';
import { pause } from '../terminal/pause.js';
import type { HttpResponse, ServiceClient } from './service-client.js';

/** The events that `petstore trigger` can cause. */
export const TRIGGERED_EVENTS = [...SUBSCRIBABLE_EVENTS, WEBHOOK_TEST] as const;

/** A completed request of a scenario, for the output of the command. */
type Step = { readonly method: string; readonly path: string; readonly status: number; readonly outcome: string };

/** The dependencies of a scenario. */
type ScenarioContext = {
  readonly service: ServiceClient;
  readonly clock: Clock;
  readonly onStep: (step: Step) => void;
  /** The endpoint that receives webhook.test. */
  readonly webhookId?: string;
};

type Resource = { readonly id: string; readonly status: string };

const PET = { name: 'Biscuit', species: 'DOG', breed: 'Beagle', ageMonths: 14, size: 'MEDIUM', goodWithKids: true };
const APPLICANT = { name: 'Ada Lovelace', email: 'ada@example.com' };
const PRICE = { amount: '250.00', currency: 'USD' };
/** Test cards of the built-in gateway (contract 15.12). */
const SUCCEEDING_CARD = '4242424242424242';
const DECLINED_CARD = '4000000000000002';

/** For each event, the requests that cause it. */
export const SCENARIOS: Readonly<Record<WebhookEventType, { readonly description: string; run(context: ScenarioContext): Promise<void> }>> =
  {
    'pet.statusChanged': {
      description: 'creates a pet',
      run: async (context) => void (await listPet(context)),
    },
    'order.statusChanged': {
      description: 'creates a pet and orders it',
      run: async (context) => void (await orderPet(context)),
    },
    'payment.succeeded': {
      description: 'creates a pet, orders it and pays with the test card; the order is approved',
      run: async (context) => void (await sellPet(context)),
    },
    'payment.failed': {
      description: 'creates a pet, orders it and pays with a card that is declined',
      async run(context) {
        const { order } = await orderPet(context);
        await pay(context, order.id, DECLINED_CARD);
        await waitForStatus(context, `/v1/orders/${order.id}/payment`, 'failed');
      },
    },
    'pet.adopted': {
      description: 'creates a pet, applies for it and approves the application; the pet is adopted',
      async run(context) {
        const pet = await listPet(context);
        const adoption = await post(context, '/v1/adoptions', { petId: pet.id, applicant: APPLICANT });
        await post(context, `/v1/adoptions/${adoption.id}/approval`);
        await waitForStatus(context, `/v1/pets/${pet.id}`, 'ADOPTED');
      },
    },
    'webhook.test': {
      description: 'sends a test event to the endpoint in --webhook',
      async run(context) {
        if (context.webhookId === undefined) throw new CommandError('--webhook is missing: webhook.test needs the id of an endpoint');
        await post(context, `/v1/webhooks/${context.webhookId}/test`);
      },
    },
  };

/** Formats the list of events and scenarios for the help of the command. */
export const describeTriggers = (): string =>
  `\nEvents:\n${TRIGGERED_EVENTS.map((event) => `  ${event.padEnd(20)} ${SCENARIOS[event].description}`).join('\n')}\n`;

const listPet = (context: ScenarioContext): Promise<Resource> =>
  post(context, '/v1/pets', { ...PET, price: PRICE.amount, currency: PRICE.currency });

const orderPet = async (context: ScenarioContext): Promise<{ readonly pet: Resource; readonly order: Resource }> => {
  const pet = await listPet(context);
  return { pet, order: await post(context, '/v1/orders', { petId: pet.id, userId: 'trigger' }) };
};

const pay = (context: ScenarioContext, orderId: string, number: string): Promise<Resource> => {
  const source = { object: 'card', name: 'Ada Lovelace', number, cvc: '123', expMonth: 12, expYear: 2099 };
  return post(context, `/v1/orders/${orderId}/payment`, { ...PRICE, source });
};

const sellPet = async (context: ScenarioContext): Promise<{ readonly pet: Resource; readonly order: Resource }> => {
  const { pet, order } = await orderPet(context);
  await pay(context, order.id, SUCCEEDING_CARD);
  await waitForStatus(context, `/v1/orders/${order.id}`, 'approved');
  return { pet, order };
};

const post = async ({ service, onStep }: ScenarioContext, path: string, body?: unknown): Promise<Resource> => {
  const { status, json } = await service.request<Resource>('POST', path, body);
  onStep({ method: 'POST', path, status, outcome: `${json.id} ${json.status}` });
  return json;
};

/** Maximum time in milliseconds to wait for a status. Even a slow worker needs less. */
const STATUS_TIMEOUT = 60_000;
/** Milliseconds between two reads of a status. */
const POLL_INTERVAL = 100;

const waitForStatus = async ({ service, clock, onStep }: ScenarioContext, path: string, wanted: string): Promise<void> => {
  const startedAt = clock.elapsed();
  let response: HttpResponse<Resource> = await service.request<Resource>('GET', path);
  while (response.json.status !== wanted) {
    if (clock.elapsed() - startedAt > STATUS_TIMEOUT)
      throw new CommandError(
        `${path} is still ${response.json.status}, expected ${wanted}: check that a worker with the role consumers is running`,
      );
    await pause(POLL_INTERVAL);
    response = await service.request<Resource>('GET', path);
  }
  onStep({ method: 'GET', path, status: response.status, outcome: `${response.json.id} ${wanted}` });
};
