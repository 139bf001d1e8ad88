import { afterEach, beforeEach, describe, expect } from '@jest/globals';
import type { RegisteredWebhook, WebhookSecret } from '../../apps/api/webhooks/webhook.dto.js';
import { eventually } from '../eventually.js';
import { caller } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { startServiceProcess, tokenFor } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';
import { openReceiver, type Receiver } from '../servers/receiver.js';
import { itOnOwnPetstore as it } from '../servers/test-petstore.js';
import { canariesIn, canariesUnder, type Canary } from '../servers/canaries.js';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await openReceiver();
});
afterEach(async () => {
  await receiver.close();
  await endPrograms();
  removeFolders();
});

/** The forms in which a secret could be stored or logged: base64 and hex. */
const canariesOf = (name: string, secret: string): readonly Canary[] => {
  const base64 = secret.slice('whsec_'.length);
  return [
    { what: `${name} in base64`, text: base64 },
    { what: `${name} in hex`, text: Buffer.from(base64, 'base64').toString('hex') },
  ];
};

/** Proves contract 18.3 and contract 23.8. */
describe('the secrets of endpoints', () => {
  it('are neither in a file nor in the output after they have signed messages', async () => {
    const dataDir = newFolder();
    const service = await startServiceProcess({ dataDir, env: { LOG_LEVEL: 'trace' } });
    const call = caller(service.url, await tokenFor(dataDir, 'write:webhooks write:pets'));
    const body = { url: receiver.url, events: ['pet.statusChanged'] };
    const registered = (await call('POST', '/v1/webhooks', { body, idempotencyKey: 'once' })).json as unknown as RegisteredWebhook;
    const rotated = (await call('POST', `/v1/webhooks/${registered.id}/secret`)).json as unknown as WebhookSecret;
    await call('PUT', `/v1/webhooks/${registered.id}`, { body: { ...registered, secret: registered.secret } });
    await call('POST', '/v1/webhooks', { body: { ...body, url: `https://10.0.0.1/?${registered.secret}` } });
    await call('POST', '/v1/pets', { body: { name: 'Any', species: 'DOG', ageMonths: 1 } });
    await eventually('both secrets to have signed', () => receiver.received[0]?.headers['webhook-signature']?.toString().includes(' '));

    const canaries = [...canariesOf('the first secret', registered.secret), ...canariesOf('the new secret', rotated.secret)];
    const found = (): readonly string[] => [
      ...canariesUnder(dataDir, canaries),
      ...canariesIn('the output', Buffer.from(service.stdout() + service.stderr()), canaries),
    ];
    expect(found()).toEqual([]);
    await service.stop();
    expect(found()).toEqual([]);
    // Proves that the search works: it finds the endpoint's id in the output, so it would also find a secret.
    expect(service.stderr().length).toBeGreaterThan(1_000);
    expect(canariesUnder(dataDir, [{ what: 'the endpoint', text: registered.id }])).not.toEqual([]);
  });
});
