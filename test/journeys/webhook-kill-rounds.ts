import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { createRandom } from '../../apps/petstore/seeding/sample-pets.js';
import { uuidV5 } from '../../libs/deliveries/uuid-v5.js';
import type { StoredEvent } from '../../libs/eventsourcing/ports/event-store.port.js';
import { eventually } from '../eventually.js';
import { expectInvariant } from '../expect-invariant.js';
import type { Call } from '../servers/calling.js';
import { tokenFor } from '../servers/process.js';
import { openReceiver, type ReceivedRequest, type Receiver, type Reply } from '../servers/receiver.js';
import { snapshotOf } from '../servers/snapshot.js';
import { callerOf, killInRounds, ongoingLoad, startKilledService } from './kills.js';
import { decodeEvents } from './replay.js';

type WebhookKillOptions = {
  readonly dataDir: string;
  readonly rounds: number;
  /** The same seed gives the same random choices, but not the same timing. */
  readonly seed: number;
};

/** The result of the kills. `inFlight` has the number of requests in flight at each kill. */
type WebhookKillReport = {
  readonly events: number;
  readonly requests: number;
  readonly failed: number;
  readonly inFlight: readonly number[];
};

/** Each of two tenants has 50 pets with 10 events each: 1,000 events. The endpoint of one tenant is ordered. */
const PETS = 50;
const CHANGES = 10;
/**
 * Enough attempts for a receiver that fails on 30 % of the requests, with delays that are short enough for a test.
 */
const SETTINGS = { WEBHOOK_RETRY_DELAYS: ['0s', ...Array<string>(60).fill('50ms')].join() };

type WebhookBody = { readonly eventId: string; readonly data: { readonly pet: { readonly id: string } } };
type Outcome = { readonly request: ReceivedRequest; readonly acknowledged: boolean };
type Endpoint = { readonly id: string; readonly tenant: string; readonly path: string };

/** A receiver that fails at random and records each request with its outcome. */
class RecordingReceiver {
  readonly outcomes: Outcome[] = [];
  inFlight = 0;

  constructor(
    readonly receiver: Receiver,
    random: () => number,
  ) {
    receiver.respondWith(async (request) => {
      this.inFlight++;
      await new Promise((resolve) => setTimeout(resolve, Math.floor(random() * 20)));
      const reply = replyOf(random());
      this.inFlight--;
      this.outcomes.push({ request, acknowledged: reply !== 'hang up' && reply?.status === 204 });
      return reply;
    });
  }

  at(path: string): readonly Outcome[] {
    return this.outcomes.filter(({ request }) => request.path === path);
  }
}

const replyOf = (chance: number): Reply => {
  if (chance < 0.1) return 'hang up';
  if (chance < 0.3) return { status: chance < 0.2 ? 500 : 503 };
  return { status: 204 };
};

/** Repeatedly kills the service while it delivers 1,000 events to a receiver that fails at random. */
export const killWhileDelivering = async ({ dataDir, rounds, seed }: WebhookKillOptions): Promise<WebhookKillReport> => {
  const listener = new RecordingReceiver(await openReceiver(), createRandom(seed + 1));
  const killed = await startKilledService(dataDir, SETTINGS);
  const token = await tokenFor(dataDir);
  const call = retryUntilAnswered(callerOf(killed, token));
  const endpoints = [await register(call, listener, '/ordered', true), await register(call, listener, '/unordered', false)];
  const creating = Promise.all(endpoints.map(({ tenant }) => createEvents(call, tenant)));
  const share = Math.max(2, (endpoints.length * PETS * CHANGES) / (rounds + 1));
  const inFlight = await killInRounds(
    killed,
    {
      // The deliveries, and the changes that cause them, go on.
      start: () => Promise.resolve(ongoingLoad(() => listener.inFlight)),
      async moment(random) {
        const target = listener.outcomes.length + 1 + Math.floor(random() * share);
        await eventually(
          `request ${target} to be in flight`,
          () => (listener.outcomes.length >= target && listener.inFlight > 0) || isEverythingAcknowledged(listener),
        );
      },
    },
    { rounds, seed },
  );
  await creating;
  for (const { id, tenant } of endpoints) await expectAllDelivered(call, id, tenant);
  expect(await killed.process().stop()).toEqual({ code: 0, signal: null });
  const { events } = snapshotOf(dataDir);
  for (const { tenant, path } of endpoints) expectAcknowledged(listener.at(path), expectedOf(events, tenant));
  const violations = orderViolations(listener.at('/ordered'), expectedOf(events, endpoints[0]?.tenant ?? ''));
  expectInvariant('an ordered endpoint gets the events of a pet in order', violations);
  await listener.receiver.close();
  const failed = listener.outcomes.filter(({ acknowledged }) => !acknowledged).length;
  return {
    events: endpoints.flatMap(({ tenant }) => expectedOf(events, tenant)).length,
    requests: listener.outcomes.length,
    failed,
    inFlight,
  };
};

/** Returns whether the receiver has acknowledged every event and no request is in flight. */
const isEverythingAcknowledged = ({ outcomes, inFlight }: RecordingReceiver): boolean =>
  inFlight === 0 &&
  new Set(outcomes.filter(({ acknowledged }) => acknowledged).map(({ request }) => request.headers['webhook-id'])).size >=
    2 * PETS * CHANGES;

type RetryingCall = (method: string, path: string, options: Parameters<Call>[2]) => Promise<Record<string, unknown>>;

/** Returns a client that repeats each request until it succeeds, also across restarts of the service. */
const retryUntilAnswered =
  (call: Call): RetryingCall =>
  (method, path, options) =>
    eventually(`an answer to ${method} ${path}`, async () => {
      const { status, json } = await call(method, path, options);
      return status < 300 ? json : null;
    });

const register = async (call: RetryingCall, { receiver }: RecordingReceiver, path: string, ordered: boolean): Promise<Endpoint> => {
  const tenant = randomUUID();
  const body = { url: receiver.url + path, events: ['pet.statusChanged'], ordered };
  const { id } = await call('POST', '/v1/webhooks', { body, tenant, idempotencyKey: randomUUID() });
  return { id: String(id), tenant, path };
};

/** Creates pets and changes each one, three pets at a time. A change that is sent again has no further effect. */
const createEvents = async (call: RetryingCall, tenant: string): Promise<void> => {
  const pets = Array.from({ length: PETS }, () => randomUUID());
  const changePets = async (): Promise<void> => {
    for (let key = pets.pop(); key !== undefined; key = pets.pop()) {
      const pet = { name: 'Rex', species: 'CAT', ageMonths: 4 };
      const { id } = await call('POST', '/v1/pets', { body: pet, tenant, idempotencyKey: key });
      for (let change = 1; change < CHANGES; change++) {
        const status = change % 2 === 1 ? 'NOT_AVAILABLE' : 'AVAILABLE';
        await call('PUT', `/v1/pets/${String(id)}`, { body: { ...pet, status }, tenant });
      }
    }
  };
  await Promise.all([changePets(), changePets(), changePets()]);
};

/** Waits until all deliveries of an endpoint are delivered and none is pending, waiting or parked (contract 20.10). */
const expectAllDelivered = async (call: RetryingCall, id: string, tenant: string): Promise<void> => {
  const count = async (status: string): Promise<number> => {
    const { pagination } = await call('GET', `/v1/webhooks/${id}/deliveries?status=${status}`, { tenant });
    return (pagination as { totalItems: number }).totalItems;
  };
  await eventually('everything to be delivered', async () => {
    const [delivered, others] = [await count('delivered'), (await count('pending')) + (await count('waiting')) + (await count('parked'))];
    if (delivered !== PETS * CHANGES || others !== 0) throw new Error(`${delivered} are delivered, ${others} are not`);
    return true;
  });
};

type ExpectedRequest = { readonly eventId: string; readonly petId: string };

/** Returns the `eventId` and the pet of each webhook that a tenant's endpoint must receive, in log order (contract 19.1). */
const expectedOf = (events: readonly StoredEvent[], tenant: string): readonly ExpectedRequest[] =>
  decodeEvents(events)
    .filter(({ meta, type }) => meta.tenant === tenant && (type === 'PetListed' || type === 'PetStatusSet'))
    .map(({ id, meta }) => ({ eventId: uuidV5(id, 'pet.statusChanged'), petId: meta.stream.slice('pet-'.length) }));

/** Expects that exactly these ids were acknowledged, and that all requests with one id have the same body (contract 20.10). */
const expectAcknowledged = (outcomes: readonly Outcome[], expected: readonly ExpectedRequest[]): void => {
  expect(expected).toHaveLength(PETS * CHANGES);
  const acknowledged = outcomes.filter((outcome) => outcome.acknowledged).map(({ request }) => String(request.headers['webhook-id']));
  expect([...new Set(acknowledged)].sort()).toEqual(expected.map(({ eventId }) => eventId).sort());
  const bodies = new Set(outcomes.map(({ request }) => `${String(request.headers['webhook-id'])} ${request.body}`));
  expect(bodies.size).toBe(expected.length);
  for (const { request } of outcomes) expect((JSON.parse(request.body) as WebhookBody).eventId).toBe(request.headers['webhook-id']);
};

/** Returns a line for each request that came while an earlier event of the same pet was not acknowledged (contract 20.8). */
const orderViolations = (outcomes: readonly Outcome[], expected: readonly ExpectedRequest[]): readonly string[] => {
  const byPet = Map.groupBy(expected, ({ petId }) => petId);
  const acknowledgedIds = new Set<string>();
  return outcomes.flatMap(({ request, acknowledged }) => {
    const { eventId, data } = JSON.parse(request.body) as WebhookBody;
    const history = byPet.get(data.pet.id) ?? [];
    const missing = history
      .slice(
        0,
        history.findIndex((event) => event.eventId === eventId),
      )
      .find((event) => !acknowledgedIds.has(event.eventId));
    if (acknowledged) acknowledgedIds.add(eventId);
    return missing ? [`${eventId} of pet ${data.pet.id} came before ${missing.eventId} was acknowledged`] : [];
  });
};
