import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openStoreKeys } from '../../libs/adapters/sqlite/index.js';
import { systemClock } from '../../libs/adapters/system/index.js';
import type { StoredEvent } from '../../libs/eventsourcing/ports/event-store.port.js';
import type { Work } from '../../libs/eventsourcing/ports/work-queue.port.js';
import { eventually } from '../eventually.js';
import { fileUpload, PIXEL } from '../http/image-files.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { replaceWork, rowsIn, snapshotOf } from '../servers/snapshot.js';
import { startOwnPetstore, type OwnPetstore } from '../servers/test-petstore.js';
import { requireGolden } from './golden-files.js';

const TENANT = '0b9f5f0e-1c1d-4c53-9a3e-0d3c8a1f5a77';
/** The service keys from which ids and digests follow. */
const KEYS = ['idempotency', 'card-fingerprint'];
const SCOPES = 'write:pets write:orders write:webhooks ops';
/** Nothing listens on this port. A free port would change the digests. */
const NOWHERE = 'http://127.0.0.1:9/hook';
const SETTINGS = { EGRESS_ALLOW: 'loopback', WEBHOOK_RETRY_DELAYS: '0s' };
const APPLICANT = { name: 'Ann Lee', email: 'ann@example.com', phone: '+14155550123' };
const PERSON = { username: 'ann', email: 'ann@example.com', password: 'a long golden password' };
const PET = { name: 'Luna', species: 'CAT', ageMonths: 8, price: '90.00', currency: 'USD' };
const DUE = { amount: '90.00', currency: 'USD' };
const CARD = { object: 'card', name: 'Ann Lee', number: '4242424242424242', cvc: '123', expMonth: 12, expYear: 2090 };
const SLOW = { ...CARD, number: '4000000000000259' };
const CALLBACK = { ...DUE, timestamp: '2026-01-02T03:04:05Z', callbackUrl: NOWHERE };
const CLIENT = { name: 'Golden', redirectUris: ['https://finder.example.com/signed-in'], confidential: true };
const RANGE = { since: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z' };

/**
 * Proves contract 9.2 and contract 28.9. The golden files of this suite are written by hand, because no change of them can be accepted: stores in
 * use have these ids, digests, names and work. A new operation, collection or queue adds a member.
 */
type Json = Readonly<Record<string, unknown>>;

let dataDir: string;
let service: OwnPetstore;
let responses: Readonly<Record<string, Json>>;
beforeAll(async () => {
  dataDir = newFolder();
  await (await startOwnPetstore({ DATA_DIR: dataDir })).stop();
  const keys = await openStoreKeys(dataDir, systemClock);
  for (const name of KEYS) {
    await keys.removeServiceKey(name);
    await keys.addServiceKey(name, createHash('sha256').update(name).digest());
  }
  await keys.close();
  service = await startOwnPetstore({ DATA_DIR: dataDir, ...SETTINGS });
  responses = await walk();
});
afterAll(async () => {
  await service.stop();
  removeFolders();
});

/** Sends a request with the name of its operation as Idempotency-Key. */
const send = async (operation: string, path: string, options: object = {}): Promise<Json> => {
  const token = await service.token(SCOPES, { subject: 'golden' });
  const request = { tenant: TENANT, token, idempotencyKey: operation.replaceAll(' ', '-'), ...options };
  const { status, json, text } = await service.request<Json>('POST', path, request);
  if (status >= 300) throw new Error(`${operation} answered ${status}: ${text}`);
  return json;
};

const hasStatus = async (path: string, status: string): Promise<void> => {
  const token = await service.token(SCOPES, { subject: 'golden' });
  await eventually(`${path} to be ${status}`, async () => {
    const { json } = await service.request<Json>('GET', path, { tenant: TENANT, token });
    return json['status'] === status;
  });
};

/** Sends a request of each operation that takes an Idempotency-Key. Returns the responses by the names of the operations. */
const walk = async (): Promise<Readonly<Record<string, Json>>> => {
  const createPet = await send('createPet', '/v1/pets', { body: PET });
  const other = await send('createPet other', '/v1/pets', { body: { ...PET, name: 'Max' } });
  const slow = await send('createPet slow', '/v1/pets', { body: { ...PET, name: 'Slow' } });
  await send('uploadPetPhoto', `/v1/pets/${String(createPet['id'])}/images`, fileUpload(PIXEL, 'asleep'));
  const createWebhook = await send('createWebhook', '/v1/webhooks', { body: { url: NOWHERE, events: ['order.statusChanged'] } });
  const webhook = `/v1/webhooks/${String(createWebhook['id'])}`;
  const createOrder = await send('createOrder', '/v1/orders', { body: { petId: createPet['id'], userId: 'golden' } });
  const order = `/v1/orders/${String(createOrder['id'])}`;
  await send('callbackOrder', order, { body: CALLBACK });
  const createOrderPayment = await send('createOrderPayment', `${order}/payment`, { body: { ...DUE, source: CARD } });
  await hasStatus(order, 'approved');
  const createAdoption = await send('createAdoption', '/v1/adoptions', { body: { petId: other['id'], applicant: APPLICANT } });
  const createUser = await send('createUser', '/v1/users', { body: PERSON });
  const account = { ...PERSON, username: 'bob', email: 'bob@example.com', staff: true };
  const createAccount = await send('createAccount', '/v1/ops/users', { body: account });
  await send('rotateWebhookSecret', `${webhook}/secret`);
  const testWebhook = await send('testWebhook', `${webhook}/test`);
  const redeliverToWebhook = await send('redeliverToWebhook', `${webhook}/redelivery`, { body: RANGE });
  const delivery = `${webhook}/deliveries/${String(testWebhook['id'])}`;
  await hasStatus(delivery, 'parked');
  await send('redeliverWebhookDelivery', `${delivery}/redelivery`);
  const addClient = await send('addClient', '/v1/ops/clients', { body: CLIENT });
  await send('rotateClientSecret', `/v1/ops/clients/${String(addClient['id'])}/secret`);
  await send('rotateSigningKey', '/v1/ops/keys/rotation');
  await send('rotateSigningKey of checkpoints', '/v1/ops/keys/rotation?kind=checkpoint-signing');
  await send('createPet unpaid', '/v1/pets', { body: { ...PET, name: 'Unpaid' } }).then(({ id }) =>
    send('createOrder unpaid', '/v1/orders', { body: { petId: id, userId: 'golden' } }),
  );
  // The payment that is processed until this suite ends.
  const slowOrder = await send('createOrder slow', '/v1/orders', { body: { petId: slow['id'], userId: 'golden' } });
  const path = `/v1/orders/${String(slowOrder['id'])}/payment`;
  const slowPayment = await send('createOrderPayment slow', path, { body: { ...DUE, source: SLOW } });
  return {
    ...{ createPet, createWebhook, createOrder, createOrderPayment, createAdoption, createUser, createAccount },
    ...{ testWebhook, redeliverToWebhook, addClient, slowPayment },
  };
};

const parsed = (text: unknown): Json => JSON.parse(String(text)) as Json;
const newest = (type: string): StoredEvent | undefined => snapshotOf(dataDir).events.findLast((event) => event.type === type);
const digestIn = (event: StoredEvent | undefined): unknown => parsed(event?.metadata)['bodyDigest'];
/** Returns the digest in the first event of a stream. */
const digestOf = (stream: string): unknown => digestIn(snapshotOf(dataDir).events.find((event) => event.stream === stream));

/** Returns the only stored document of a table whose key or JSON contains a text. */
const documentWith = (table: string, text: unknown): Json => {
  const rows = (rowsIn(dataDir)[table] ?? []).filter((row) => JSON.stringify(row).includes(String(text)));
  if (rows.length !== 1) throw new Error(`${table} has ${rows.length} rows with ${String(text)}`);
  return parsed(rows[0]?.['json']);
};

describe('the id and the digest of a request with an Idempotency-Key', () => {
  /** The kinds of the created resources in the names of their streams. */
  const STREAMS = {
    ...{ createPet: 'pet', createWebhook: 'webhook', createOrder: 'order', createOrderPayment: 'payment' },
    ...{ createAdoption: 'adoption', createUser: 'user', createAccount: 'user' },
  };

  it('are those of the first release that stored them', async () => {
    const idOf = (operation: string): string => String(responses[operation]?.['id']);
    const identities: Record<string, unknown> = {};
    for (const [operation, category] of Object.entries(STREAMS))
      identities[operation] = { id: idOf(operation), digest: digestOf(`${category}-${idOf(operation)}`) };
    const [photo, callback, secret] = ['PetPhotoAdded', 'OrderCallbackRequested', 'WebhookSecretRotated'].map(newest);
    const client = documentWith('oauth_clients_v1', idOf('addClient'));
    const keys = await openStoreKeys(dataDir, systemClock);
    const requests = (await keys.serviceKeys()).map((key) => key.requests).filter((ids) => ids.length > 0);
    await keys.close();
    Object.assign(identities, {
      uploadPetPhoto: { id: parsed(photo?.data)['imageId'], digest: digestIn(photo) },
      callbackOrder: { id: parsed(callback?.data)['requestId'], digest: digestIn(callback) },
      rotateWebhookSecret: { id: parsed(secret?.data)['rotationId'] },
      testWebhook: { id: idOf('testWebhook') },
      redeliverToWebhook: {
        id: idOf('redeliverToWebhook'),
        digest: documentWith('redeliveries_v1', idOf('redeliverToWebhook'))['bodyDigest'],
      },
      redeliverWebhookDelivery: { id: documentWith('deliveries_v1', idOf('testWebhook'))['redeliveryId'] },
      addClient: { id: idOf('addClient'), digest: client['bodyDigest'] },
      rotateClientSecret: { rotations: client['rotations'] },
      rotateSigningKey: { requests },
    });
    expect(identities).toEqual(requireGolden('stored/identities.json'));
  });
});

/** Replaces what differs from run to run in a stored text. */
const normalized = (text: string): string =>
  text
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/^[\w-]{43}$/, '<digest>');

/** Returns a JSON value with normalized texts and without its numbers. */
const formOf = (value: unknown): unknown => {
  if (typeof value === 'string') return normalized(value);
  if (typeof value === 'number') return '<number>';
  if (Array.isArray(value)) return value.map(formOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, formOf(part)]));
};

const formOfWork = ({ queue, id, lane, data }: Readonly<Record<string, unknown>>): unknown =>
  formOf({ queue, id, lane, data: JSON.parse(String(data)) as unknown });

const distinct = (texts: readonly unknown[]): readonly string[] => [...new Set(texts.map(String))].sort();

describe('the names in a store', () => {
  it('are those of the first release that stored them', async () => {
    const { collections = [], consumers = [], checkpoints = [], work = [] } = rowsIn(dataDir);
    const keys = await openStoreKeys(dataDir, systemClock);
    const serviceKeys = (await keys.serviceKeys()).map(({ name }) => normalized(name));
    await keys.close();
    const names = {
      // The version of a collection may rise.
      collections: distinct(collections.map(({ name }) => name)),
      consumers: distinct(consumers.map(({ name }) => name)),
      checkpoints: distinct(checkpoints.map(({ name }) => String(name).replace(/_v\d+$/, ''))),
      serviceKeys: distinct(serviceKeys),
      work: distinct(work.map((row) => JSON.stringify(formOfWork(row)))).map((form) => JSON.parse(form) as unknown),
    };
    expect(names).toEqual(requireGolden('stored/names.json'));
  });
});

const actors = (): readonly string[] => distinct(snapshotOf(dataDir).events.map(({ metadata }) => parsed(metadata)['actor']));

describe('after a start on data of an earlier release', () => {
  beforeAll(async () => {
    await service.stop();
    replaceWork(dataDir, 'gateway-calls', requireGolden('stored/work.json') as readonly Work[]);
    const holds = { ORDER_HOLD: '1s', ADOPTION_HOLD: '1s' };
    service = await startOwnPetstore({ DATA_DIR: dataDir, ...SETTINGS, ...holds }, { slowMilliseconds: 0 });
  });

  it('the stored calls of the gateway are made: a charge and a refund', async () => {
    const [slow, paid] = [responses['slowPayment']?.['id'], responses['createOrderPayment']?.['id']].map(String);
    await eventually('the charge and the refund', () => {
      const charges = new Map(service.charges().map((charge) => [charge.idempotencyKey, charge]));
      return charges.get(String(slow))?.outcome === 'succeeded' && typeof charges.get(String(paid))?.refundedAt === 'string';
    });
  });

  it('the service itself has the same names in events', async () => {
    const expected = requireGolden('stored/actors.json') as readonly string[];
    await eventually('every actor', () => actors().length >= expected.length);
    expect(actors()).toEqual(expected);
  });
});
