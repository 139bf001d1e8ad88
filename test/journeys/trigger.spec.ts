import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { RegisteredWebhook } from '../../apps/api/webhooks/webhook.dto.js';
import { eventually } from '../eventually.js';
import { removeFolders } from '../servers/data-folder.js';
import { endPrograms } from '../servers/program.js';
import { openWorkshop, REFUSED, SLOW, type Workshop } from './command-fixture.js';

jest.setTimeout(SLOW);

const EVENTS = ['order.statusChanged', 'payment.succeeded', 'payment.failed', 'pet.adopted', 'pet.statusChanged'];

let workshop: Workshop;
let endpoint: RegisteredWebhook;
beforeAll(async () => {
  workshop = await openWorkshop();
  endpoint = await workshop.register({ events: EVENTS });
});
afterAll(async () => {
  await workshop.receiver.close();
  await endPrograms();
  removeFolders();
});

const told = (eventType: string): readonly string[] =>
  workshop.receiver.received
    .filter(({ body }) => (JSON.parse(body) as { eventType: string }).eventType === eventType)
    .map(({ body }) => body);

const PET = 'POST /v1/pets  201  ID AVAILABLE';
const ORDER = 'POST /v1/orders  201  ID placed';
const PAYMENT = 'POST /v1/orders/ID/payment  201  ID processing';
const APPROVED = 'GET /v1/orders/ID  200  ID approved';

describe('petstore trigger', () => {
  it.each([
    ['pet.statusChanged', [PET]],
    ['order.statusChanged', [PET, ORDER]],
    ['payment.succeeded', [PET, ORDER, PAYMENT, APPROVED]],
    ['payment.failed', [PET, ORDER, PAYMENT, 'GET /v1/orders/ID/payment  200  ID failed']],
    ['pet.adopted', [PET, ORDER, PAYMENT, APPROVED, 'GET /v1/pets/ID  200  ID ADOPTED']],
  ])('%s makes it happen, and says each step', async (event, steps) => {
    workshop.receiver.received.length = 0;
    const { code, stdout } = await workshop.run('trigger', event);
    const said = stdout.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID');
    expect([code, said]).toEqual([0, `${[...steps, `${event} has happened.`].join('\n')}\n`]);
    await eventually(`${event} to be told`, () => told(event)[0], SLOW / 4);
  });

  it('webhook.test goes to the endpoint that is named', async () => {
    const { code, stdout } = await workshop.run('trigger', 'webhook.TEST', '--webhook', endpoint.id);
    expect([code, stdout]).toEqual([0, expect.stringMatching(new RegExp(`^POST /v1/webhooks/${endpoint.id}/test {2}202 {2}`))]);
    await eventually('the test', () => told('webhook.test')[0], SLOW / 4);
  });

  it('names the events it knows, and says what it does for each', async () => {
    const { stdout } = await workshop.run('trigger', '--help');
    for (const event of [...EVENTS, 'webhook.test']) expect(stdout).toMatch(new RegExp(`^ {2}${event} +\\w+`, 'm'));
  });

  it.each([
    ['a test for an endpoint that is not there', ['webhook.test', '--webhook', '0190a6b5-3f4a-7d67-8e3c-6a4d8f5b7c93'], /404/],
    ['a tenant that is none', ['pet.adopted', '--tenant', 'me'], /UUID/],
  ])('refuses %s in words', async (_, args, words) => {
    const { code, stdout, stderr } = await workshop.run('trigger', ...args);
    expect([code, stdout]).toEqual([REFUSED, '']);
    expect(stderr).toMatch(words);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});
