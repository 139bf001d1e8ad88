import { describe, expect, it } from '@jest/globals';
import type { WebhookContract } from '../../contracts/webhook-contract.js';
import type { StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import type { EventStore, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';
import { recorded } from '../../eventsourcing/testing/recorded.js';
import { trustingCodec } from '../../runtime/following/following.fixtures.js';
import { endpointOf } from '../endpoints.js';
import { createAnnouncer, type AnnounceContext } from './announcer.js';
import { createDocumentFolds } from './event-context.js';
import type { Delivery } from '../delivery.js';
import type { DeliveryStore } from '../delivery-store.js';

const [listed] = recorded(
  [{ type: 'PetListed', data: { details: { name: 'Rex', species: 'DOG', ageMonths: 3 }, status: 'AVAILABLE' } }],
  'pet-1',
);
if (!listed) throw new Error('no event was recorded');
/** An event in the middle of the log. */
const event = { ...listed, id: '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60', position: 10 };

const contract = { eventType: 'pet.statusChanged', from: ['PetListed'], needs: [], data: () => ({ isTest: true }) };
const endpoint = (id: string, more: { readonly status?: string; readonly events?: readonly string[] } = {}): StoredDocument => ({
  key: id,
  json: JSON.stringify({ id, url: 'https://shop.example.com', events: ['pet.statusChanged'], ordered: false, status: 'enabled', ...more }),
  fields: { tenant: 'shared', status: more.status ?? 'enabled', createdAt: '', secret: 1, rotatedAt: null, enabledAt: '' },
  revision: 0,
});
const A = '0190a6b2-0000-7000-8000-00000000000a';
const B = '0190a6b2-0000-7000-8000-00000000000b';

/**
 * Announces the event to these endpoints. `registeredAt` has the position at which each endpoint was registered. Returns the
 * stored and the enqueued deliveries.
 */
const announceTo = async (endpoints: readonly StoredDocument[], registeredAt: Readonly<Record<string, number>>) => {
  const put: Delivery[] = [];
  const enqueued: string[] = [];
  const store = {
    readStream: (stream: string) =>
      Promise.resolve(
        stream === 'pet-1' ? [{} as StoredEvent] : [{ position: registeredAt[stream.slice('webhook-'.length)] } as StoredEvent],
      ),
  } as unknown as EventStore;
  const codec = { ...trustingCodec, decode: () => event };
  const context: AnnounceContext = {
    store,
    codec,
    folds: createDocumentFolds({ store, codec }),
    clock: manualClock(),
    publicUrl: () => 'https://pets.example.com',
    contracts: [contract as unknown as WebhookContract],
    deliveries: { putNew: (delivery: Delivery) => Promise.resolve((put.push(delivery), delivery)) } as unknown as DeliveryStore,
    work: { enqueue: ({ id }: { id: string }) => Promise.resolve(enqueued.push(id) > 0) } as unknown as AnnounceContext['work'],
  };
  await createAnnouncer(context)(event, endpoints.map(endpointOf));
  return { put, enqueued };
};

describe('a domain event', () => {
  it('is delivered to the endpoints registered before it, with the same ids when it is announced again', async () => {
    const first = await announceTo([endpoint(A), endpoint(B)], { [A]: 3, [B]: 9 });
    const second = await announceTo([endpoint(A), endpoint(B)], { [A]: 3, [B]: 9 });
    expect(first.put.map(({ target }) => target)).toEqual([
      { kind: 'webhook', webhookId: A },
      { kind: 'webhook', webhookId: B },
    ]);
    expect(first.put[0]).toMatchObject({ status: 'pending', stream: 'pet-1', body: expect.stringContaining('"data":{"isTest":true}') });
    expect(new Set(first.put.map(({ eventId }) => eventId)).size).toBe(1);
    expect(second).toEqual(first);
    expect(first.enqueued).toEqual(first.put.map(({ id }) => `${id}:0`));
  });

  it('is not delivered to endpoints registered after it', async () =>
    expect((await announceTo([endpoint(A), endpoint(B)], { [A]: 3, [B]: 11 })).put).toHaveLength(1));

  it('is not delivered to endpoints that do not subscribe to its type', async () =>
    expect((await announceTo([endpoint(A, { events: ['pet.adopted'] })], { [A]: 3 })).put).toEqual([]));

  it('is stored as parked for a disabled endpoint', async () => {
    const { put, enqueued } = await announceTo([endpoint(A, { status: 'disabled' })], { [A]: 3 });
    expect([put[0]?.status, put[0]?.parkedBecause, enqueued]).toEqual(['parked', 'disabled', []]);
  });
});
