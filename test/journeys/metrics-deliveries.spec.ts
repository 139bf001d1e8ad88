import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.js';
import { openInProcessStore, type InProcessPetstore } from './in-process-petstore.js';
import { samplesOf, scrape } from '../servers/prometheus-text.js';
import { openReceiver, type Receiver } from '../servers/receiver.js';

let open: InProcessPetstore;
let receiver: Receiver;

beforeAll(async () => {
  const settings = { METRICS_PORT: '0', LOG_LEVEL: 'silent', WEBHOOK_RETRY_DELAYS: '0s,1ms' };
  [open, receiver] = await Promise.all([openInProcessStore(':memory:', {}, settings), openReceiver()]);
});
afterAll(async () => {
  await open.stop();
  await receiver.close();
});

/** Returns the number of attempts by their target and outcome. */
const counted = async (): Promise<Readonly<Record<string, number>>> => {
  const samples = samplesOf(await scrape(open.metricsUrl ?? ''), 'petstore_deliveries_total');
  return Object.fromEntries(samples.map(({ labels, value }) => [`${labels['target']} ${labels['outcome']}`, value]));
};

const addPet = () => open.call('POST', '/v1/pets', { body: { name: 'Rex', species: 'DOG', ageMonths: 3 } });

/** Proves contract 25.6. */
describe('the deliveries in the metrics', () => {
  it('are counted by target and outcome', async () => {
    const webhook = { url: receiver.url, events: ['pet.statusChanged'] };
    expect((await open.call('POST', '/v1/webhooks', { body: webhook })).status).toBe(201);
    await addPet();
    await eventually('the delivery', async () => (await counted())['webhook delivered'] === 1);
    receiver.respondWith(() => ({ status: 500 }));
    await addPet();
    await eventually('the last attempt', async () => (await counted())['webhook exhausted'] === 1);
    receiver.respondWith(() => ({ status: 410 }));
    await addPet();
    await eventually('the response 410', async () => (await counted())['webhook gone'] === 1);
    expect(await counted()).toEqual({ 'webhook delivered': 1, 'webhook failed': 1, 'webhook exhausted': 1, 'webhook gone': 1 });
  });
});
