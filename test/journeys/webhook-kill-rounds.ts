import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { createRandom } from '../../apps/petstore/seeding/sample-pets.js';
import { uuidV5 } from '../../libs/deliveries/uuid-v5.js';
import type { StoredEvent } from '../../libs/eventsourcing/ports/event-store.port.js';
import { eventually } from '../eventually.js';
import { caller, type Call } from '../servers/calling.js';
import { spawnStore, tokenFor, type StoreProcess } from '../servers/process.js';
import { openReceiver, type Received, type Receiver, type Reply } from '../servers/receiver.js';
import { snapshotOf } from '../servers/snapshot.js';
import { decoded } from './replay.js';

type WebhookKillOptions = {
  readonly dataDir: string;
  readonly rounds: number;
  /** The same seed makes the same choices; what the machine's timing makes of them differs. */
  readonly seed: number;
};

/** What the kills met. */
type WebhookKillReport = {
  readonly events: number;
  readonly requests: number;
  readonly failed: number;
  readonly inFlight: readonly number[];
};

/** 1,000 events: to one endpoint in order, to the other as they come. */
const PETS = 50;
const CHANGES = 10;
/** Enough for a receiver that fails every third time, and soon enough for a test. */
const SETTINGS = { WEBHOOK_RETRY_DELAYS: ['0s', ...Array<string>(60).fill('50ms')].join(), LOG_LEVEL: 'warn' };
/** A claim that died with its process ends after 10 s. */
const GOES_ON_WITHIN = 60_000;

type Told = { readonly eventId: string; readonly data: { readonly pet: { readonly id: string } } };
type Outcome = { readonly request: Received; readonly acknowledged: boolean };
type Registered = { readonly id: string; readonly tenant: string; readonly path: string };

/** The receiver's side: what it was sent, and which of it it acknowledged. */
class Listener {
  readonly outcomes: Outcome[] = [];
  inFlight = 0;

  constructor(
    readonly receiver: Receiver,
    random: () => number,
  ) {
    receiver.answer(async (request) => {
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

/** Has 1,000 events told to a receiver that fails at random, and kills the store that tells them so many times meanwhile. */
export const killWhileTelling = async ({ dataDir, rounds, seed }: WebhookKillOptions): Promise<WebhookKillReport> => {
  const random = createRandom(seed);
  const listener = new Listener(await openReceiver(), createRandom(seed + 1));
  const token = await storeToken(dataDir);
  let store = await spawnStore({ dataDir, env: SETTINGS });
  const insistently = insisting(() => caller(store.url, token));
  const endpoints = [await register(insistently, listener, '/ordered', true), await register(insistently, listener, '/unordered', false)];
  const happening = Promise.all(endpoints.map(({ tenant }) => makeHappen(insistently, tenant)));
  const inFlight: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const share = Math.max(2, (endpoints.length * PETS * CHANGES) / (rounds + 1));
    const target = listener.outcomes.length + 1 + Math.floor(random() * share);
    await eventually(
      `request ${target} to be on its way`,
      () => (listener.outcomes.length >= target && listener.inFlight > 0) || isQuiet(listener),
      GOES_ON_WITHIN,
    );
    inFlight.push(listener.inFlight);
    await store.kill9();
    store = await spawnStore({ dataDir, env: SETTINGS });
  }
  await happening;
  for (const { id, tenant } of endpoints) await expectAllDelivered(insistently, id, tenant);
  await expectStopped(store);
  const { events } = snapshotOf(dataDir);
  for (const { tenant, path } of endpoints) expectTold(listener.at(path), expectedOf(events, tenant));
  expect(faultsInOrder(listener.at('/ordered'), expectedOf(events, endpoints[0]?.tenant ?? ''))).toEqual([]);
  await listener.receiver.close();
  const failed = listener.outcomes.filter(({ acknowledged }) => !acknowledged).length;
  return {
    events: endpoints.flatMap(({ tenant }) => expectedOf(events, tenant)).length,
    requests: listener.outcomes.length,
    failed,
    inFlight,
  };
};

/** A store makes its keys when it starts, and tokens need them. */
const storeToken = async (dataDir: string): Promise<string> => {
  await expectStopped(await spawnStore({ dataDir, env: SETTINGS }));
  return tokenFor(dataDir);
};

const expectStopped = async (store: StoreProcess): Promise<void> => expect(await store.stop()).toEqual({ code: 0, signal: null });

/** All were told, and nothing more will come. */
const isQuiet = ({ outcomes, inFlight }: Listener): boolean =>
  inFlight === 0 &&
  new Set(outcomes.filter(({ acknowledged }) => acknowledged).map(({ request }) => request.headers['webhook-id'])).size >=
    2 * PETS * CHANGES;

type Insist = (method: string, path: string, asked: Parameters<Call>[2]) => Promise<Record<string, unknown>>;

/** Asks until it is answered, whichever process is there to answer. */
const insisting =
  (call: () => Call): Insist =>
  (method, path, asked) =>
    eventually(
      `an answer to ${method} ${path}`,
      async () => {
        const { status, json } = await call()(method, path, asked);
        return status < 300 ? json : null;
      },
      GOES_ON_WITHIN,
    );

const register = async (insist: Insist, { receiver }: Listener, path: string, ordered: boolean): Promise<Registered> => {
  const tenant = randomUUID();
  const body = { url: receiver.url + path, events: ['pet.statusChanged'], ordered };
  const { id } = await insist('POST', '/v1/webhooks', { body, tenant, idempotencyKey: randomUUID() });
  return { id: String(id), tenant, path };
};

/** Every pet is listed and then changed, one pet after the other and a few at a time: a change asked for twice is one. */
const makeHappen = async (insist: Insist, tenant: string): Promise<void> => {
  const pets = Array.from({ length: PETS }, () => randomUUID());
  const live = async (): Promise<void> => {
    for (let key = pets.pop(); key !== undefined; key = pets.pop()) {
      const pet = { name: 'Told', species: 'CAT', ageMonths: 4 };
      const { id } = await insist('POST', '/v1/pets', { body: pet, tenant, idempotencyKey: key });
      for (let change = 1; change < CHANGES; change++) {
        const status = change % 2 === 1 ? 'NOT_AVAILABLE' : 'AVAILABLE';
        await insist('PUT', `/v1/pets/${String(id)}`, { body: { ...pet, status }, tenant });
      }
    }
  };
  await Promise.all([live(), live(), live()]);
};

/** "none parked that could be delivered" */
const expectAllDelivered = async (insist: Insist, id: string, tenant: string): Promise<void> => {
  const count = async (status: string): Promise<number> => {
    const { pagination } = await insist('GET', `/v1/webhooks/${id}/deliveries?status=${status}`, { tenant });
    return (pagination as { totalItems: number }).totalItems;
  };
  await eventually(
    'everything to be delivered',
    async () => {
      const [delivered, others] = [await count('delivered'), (await count('pending')) + (await count('waiting')) + (await count('parked'))];
      if (delivered !== PETS * CHANGES || others !== 0) throw new Error(`${delivered} are delivered, ${others} are not`);
      return true;
    },
    GOES_ON_WITHIN,
  );
};

type Expected = { readonly eventId: string; readonly petId: string };

/** "UUIDv5(event id, event type)" of every event that has happened to a tenant's pets, in the order of the log. */
const expectedOf = (events: readonly StoredEvent[], tenant: string): readonly Expected[] =>
  decoded(events)
    .filter(({ meta, type }) => meta.tenant === tenant && (type === 'PetListed' || type === 'PetStatusSet'))
    .map(({ id, meta }) => ({ eventId: uuidV5(id, 'pet.statusChanged'), petId: meta.stream.slice('pet-'.length) }));

/** "every event at least once, ids stable": exactly these ids, each acknowledged, each always with the same body. */
const expectTold = (outcomes: readonly Outcome[], expected: readonly Expected[]): void => {
  expect(expected).toHaveLength(PETS * CHANGES);
  const acknowledged = outcomes.filter((outcome) => outcome.acknowledged).map(({ request }) => String(request.headers['webhook-id']));
  expect([...new Set(acknowledged)].sort()).toEqual(expected.map(({ eventId }) => eventId).sort());
  const bodies = new Set(outcomes.map(({ request }) => `${String(request.headers['webhook-id'])} ${request.body}`));
  expect(bodies.size).toBe(expected.length);
  for (const { request } of outcomes) expect((JSON.parse(request.body) as Told).eventId).toBe(request.headers['webhook-id']);
};

/** "order per aggregate kept where asked": whatever comes, all that happened to that pet before was acknowledged before. */
const faultsInOrder = (outcomes: readonly Outcome[], expected: readonly Expected[]): readonly string[] => {
  const byPet = Map.groupBy(expected, ({ petId }) => petId);
  const done = new Set<string>();
  return outcomes.flatMap(({ request, acknowledged }) => {
    const { eventId, data } = JSON.parse(request.body) as Told;
    const history = byPet.get(data.pet.id) ?? [];
    const missing = history
      .slice(
        0,
        history.findIndex((event) => event.eventId === eventId),
      )
      .find((event) => !done.has(event.eventId));
    if (acknowledged) done.add(eventId);
    return missing ? [`${eventId} of pet ${data.pet.id} came before ${missing.eventId} was acknowledged`] : [];
  });
};
