import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRejection } from '../../libs/eventsourcing/decider.js';
import { Aggregates } from '../../libs/eventsourcing/handle.js';
import type { OrderId, PaymentId, PetId } from '../../libs/domain/ids.js';
import { ORDERS, PAYMENTS, PETS } from '../../libs/application/aggregates.js';
import { createSamplePet, createRandom } from '../../apps/petstore/seeding/sample-pets.js';
import { openEmbeddedStore, type EmbeddedStore } from '../../apps/petstore/composition/embedded/embedded.js';
import { createLog } from '../../apps/petstore/logging/log.js';
import { startServer } from './server.js';

const log = createLog('warn');
const IN_FLIGHT = 512;
const context = { tenant: 'shared', actor: 'bench', correlationId: 'bench', causationId: 'bench' };

/** Each life is ten events: a pet listed, reserved, adopted and freed, its order from placed to delivered, its payment. */
const EVENTS_PER_LIFE = 10;

/** Fills a new folder with a believable log of about `events` events and answers the folder. */
export const filledFolder = async (events: number): Promise<string> => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  const store = await openEmbeddedStore({ directory, log });
  const aggregates = new Aggregates(store.store, store.codec);
  const random = createRandom(7);
  const lives = Math.ceil(events / EVENTS_PER_LIFE);
  let begun = 0;
  const worker = async (): Promise<void> => {
    while (begun < lives) {
      if (++begun % 10_000 === 0) process.stderr.write(`${(begun * EVENTS_PER_LIFE).toLocaleString('en-US')} events written\n`);
      await life(store, aggregates, random);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  await store.close();
  return directory;
};

const life = async ({ identities }: EmbeddedStore, aggregates: Aggregates, random: () => number): Promise<void> => {
  const fresh = <Id extends string>(): Id => identities.of<Id>('bench', { tenant: 'shared', actor: 'bench', requestId: 'bench' }, null).id;
  const [petId, orderId, paymentId] = [fresh<PetId>(), fresh<OrderId>(), fresh<PaymentId>()];
  const { details } = createSamplePet(random);
  const holder = { kind: 'order', id: orderId } as const;
  const [amount, currency] = [details.price ?? '1.00', 'USD'];
  const source = { object: 'card', number: '************4242', brand: 'visa', last4: '4242', expMonth: 12, expYear: 2035 } as const;
  const terms = { paymentId, amount, currency, source, reference: 'pay_bench' };
  const order = { petId, quantity: 1, unitPrice: amount, currency };
  const pet = (command: Parameters<typeof PETS.decider.decide>[0]) => done(aggregates.handle(PETS, petId, command, context));
  const ordered = (command: Parameters<typeof ORDERS.decider.decide>[0]) => done(aggregates.handle(ORDERS, orderId, command, context));
  const paid = (command: Parameters<typeof PAYMENTS.decider.decide>[0]) => done(aggregates.handle(PAYMENTS, paymentId, command, context));
  await pet({ type: 'ListPet', data: { petId, details, status: 'AVAILABLE' } });
  await pet({ type: 'ReservePet', data: { petId, holder, quantity: 1 } });
  await ordered({ type: 'PlaceOrder', data: { orderId, ...order } });
  await ordered({ type: 'StartOrderPayment', data: { orderId, today: '2026-01-02', ...terms } });
  await paid({ type: 'RequestPayment', data: { orderId, ...terms } });
  await paid({ type: 'SettlePayment', data: { paymentId, outcome: { status: 'succeeded' } } });
  await ordered({ type: 'ApproveOrder', data: { orderId, paymentId } });
  await pet({ type: 'AdoptPet', data: { petId, holder } });
  await ordered({ type: 'ShipOrder', data: { orderId, today: '2026-01-02' } });
  await ordered({ type: 'DeliverOrder', data: { orderId } });
};

const done = async (handled: Promise<object>): Promise<void> => {
  const outcome = await handled;
  if (isRejection(outcome)) throw new Error(`refused: ${outcome.rejected}`);
};

/** Makes every read model anew; events a second. */
export const rebuildBench = async (directory: string): Promise<number> => {
  const store = await openEmbeddedStore({ directory, log });
  const begun = performance.now();
  const { position: events } = await store.rebuild({ acceptAltered: false });
  const rate = events / ((performance.now() - begun) / 1000);
  await store.close();
  return rate;
};

/** Milliseconds from starting the process to /health/ready saying 200. */
export const startBench = async (directory: string): Promise<number> => {
  const begun = performance.now();
  const server = await startServer('dist/apps/petstore/main.js', ['start'], { DATA_DIR: directory, PORT: '0', LOG_LEVEL: 'warn' });
  let ready = false;
  while (!ready) ready = (await fetch(`${server.url}/health/ready`)).ok;
  const milliseconds = performance.now() - begun;
  await server.stop();
  return milliseconds;
};

/** Takes a folder away again. */
export const removeFolder = (directory: string): void => rmSync(directory, { recursive: true, force: true });
