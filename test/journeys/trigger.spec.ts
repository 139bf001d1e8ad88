import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RegisteredWebhook } from '../../apps/api/webhooks/webhook.dto.js';
import { eventually } from '../eventually.js';
import { removeFolders } from '../servers/data-folder.js';
import { endPrograms } from '../servers/program.js';
import { openCommandFixture, REJECTED, type CommandFixture } from './command-fixture.js';

const EVENTS = ['order.statusChanged', 'payment.succeeded', 'payment.failed', 'pet.adopted', 'pet.statusChanged'];

let fixture: CommandFixture;
let endpoint: RegisteredWebhook;
beforeAll(async () => {
  fixture = await openCommandFixture();
  endpoint = await fixture.register({ events: EVENTS });
});
afterAll(async () => {
  await fixture.receiver.close();
  await endPrograms();
  removeFolders();
});

const bodiesOfType = (eventType: string): readonly string[] =>
  fixture.receiver.received
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
    [
      'pet.adopted',
      [
        PET,
        'POST /v1/adoptions  201  ID submitted',
        'POST /v1/adoptions/ID/approval  200  ID approved',
        'GET /v1/pets/ID  200  ID ADOPTED',
      ],
    ],
  ])('%s causes the event and prints each step', async (event, steps) => {
    fixture.receiver.received.length = 0;
    const { code, stdout } = await fixture.run('trigger', event);
    const output = stdout.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID');
    expect([code, output]).toEqual([0, `${[...steps, `${event} has happened.`].join('\n')}\n`]);
    await eventually(`${event} to be delivered`, () => bodiesOfType(event)[0]);
  });

  it('webhook.test is sent to the endpoint of --webhook', async () => {
    const { code, stdout } = await fixture.run('trigger', 'webhook.TEST', '--webhook', endpoint.id);
    expect([code, stdout]).toEqual([0, expect.stringMatching(new RegExp(`^POST /v1/webhooks/${endpoint.id}/test {2}202 {2}`))]);
    await eventually('the test', () => bodiesOfType('webhook.test')[0]);
  });

  it('--help lists the events', async () => {
    const { stdout } = await fixture.run('trigger', '--help');
    for (const event of [...EVENTS, 'webhook.test']) expect(stdout).toMatch(new RegExp(`^ {2}${event} +\\w+`, 'm'));
  });

  it.each([
    ['a test of an unknown endpoint', ['webhook.test', '--webhook', '0190a6b5-3f4a-7d67-8e3c-6a4d8f5b7c93'], /404/],
    ['a tenant that is not a UUID', ['pet.adopted', '--tenant', 'me'], /UUID/],
  ])('rejects %s with a message', async (_, args, message) => {
    const { code, stdout, stderr } = await fixture.run('trigger', ...args);
    expect([code, stdout]).toEqual([REJECTED, '']);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});
