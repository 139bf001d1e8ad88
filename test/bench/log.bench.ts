import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRejection } from '../../libs/eventsourcing/decider.js';
import { Aggregates } from '../../libs/eventsourcing/aggregates.js';
import type { OrderId, PaymentId, PetId } from '../../libs/domain/ids.js';
import { ORDERS, PAYMENTS, PETS } from '../../libs/application/aggregates.js';
import { createSamplePet, createRandom } from '../../apps/petstore/seeding/sample-pets.js';
import { openAuditedLog } from '../../apps/petstore/commands/audit/audited-log.js';
import type { AuditFault } from '../../libs/audit/verify/audit-fault.js';
import { verifyLog } from '../../libs/audit/verify/verify-log.js';
import { parseSettings } from '../../libs/settings/settings.js';
import { openEmbeddedStore, type EmbeddedStore } from '../../apps/petstore/composition/embedded/embedded.js';
import type { StorePorts } from '../../apps/petstore/composition/store.module.js';
import { createLog } from '../../apps/petstore/logging/log.js';
import { startServer } from './server.js';

const log = createLog('warn');
const IN_FLIGHT = 512;
/** The context of the commands of the benchmark. */
export const context = { tenant: 'shared', actor: 'bench', correlationId: 'bench', causationId: 'bench' };

/** The number of events of one pet, its order and its payment together. */
const EVENTS_PER_PET = 10;

/** Writes the events of the pet with this number. */
export type WritePet = (store: EmbeddedStore, aggregates: Aggregates, random: () => number, number: number) => Promise<void>;

/** Fills a new folder with pets. Returns the folder. */
export const folderOf = async (pets: number, writePet: WritePet): Promise<string> => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  const store = await openEmbeddedStore({ directory, log });
  const aggregates = new Aggregates(store.store, store.codec);
  const random = createRandom(7);
  let started = 0;
  const worker = async (): Promise<void> => {
    while (started < pets) {
      const number = ++started;
      if (number % 10_000 === 0) process.stderr.write(`${number.toLocaleString('en-US')} pets written\n`);
      await writePet(store, aggregates, random, number);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  await store.close();
  return directory;
};

/** Fills a new folder with a realistic log of about `events` events. Returns the folder. */
export const filledFolder = (events: number): Promise<string> => folderOf(Math.ceil(events / EVENTS_PER_PET), writeAdoptedPet);

/** Returns a function that creates ids as a request of the benchmark would. */
export const idsOf =
  ({ identities }: Pick<StorePorts, 'identities'>) =>
  <Id extends string>(): Id =>
    identities.of<Id>('bench', { tenant: 'shared', actor: 'bench', requestId: 'bench' }, null).id;

const writeAdoptedPet: WritePet = async (store, aggregates, random) => {
  const newId = idsOf(store);
  const [petId, orderId, paymentId] = [newId<PetId>(), newId<OrderId>(), newId<PaymentId>()];
  const { details } = createSamplePet(random);
  const holder = { kind: 'order', id: orderId } as const;
  const [amount, currency] = [details.price ?? '1.00', 'USD'];
  const source = { object: 'card', number: '************4242', brand: 'visa', last4: '4242', expMonth: 12, expYear: 2035 } as const;
  const terms = { paymentId, amount, currency, source, reference: 'pay_bench' };
  const orderTerms = { petId, quantity: 1, unitPrice: amount, currency };
  const pet = (command: Parameters<typeof PETS.decider.decide>[0]) => throwIfRejected(aggregates.handle(PETS, petId, command, context));
  const order = (command: Parameters<typeof ORDERS.decider.decide>[0]) =>
    throwIfRejected(aggregates.handle(ORDERS, orderId, command, context));
  const payment = (command: Parameters<typeof PAYMENTS.decider.decide>[0]) =>
    throwIfRejected(aggregates.handle(PAYMENTS, paymentId, command, context));
  await pet({ type: 'CreatePet', data: { petId, details, status: 'AVAILABLE', number: 1 } });
  await pet({ type: 'ReservePet', data: { petId, holder, quantity: 1 } });
  await order({ type: 'CreateOrder', data: { orderId, ...orderTerms } });
  await order({ type: 'StartOrderPayment', data: { orderId, today: '2026-01-02', ...terms } });
  await payment({ type: 'CreatePayment', data: { orderId, ...terms } });
  await payment({ type: 'SettlePayment', data: { paymentId, outcome: { status: 'succeeded' } } });
  await order({ type: 'ApproveOrder', data: { orderId, paymentId } });
  await pet({ type: 'AdoptPet', data: { petId, holder } });
  await order({ type: 'ShipOrder', data: { orderId, today: '2026-01-02' } });
  await order({ type: 'DeliverOrder', data: { orderId } });
};

/** Throws if a command was rejected. */
export const throwIfRejected = async (handled: Promise<object>): Promise<void> => {
  const outcome = await handled;
  if (isRejection(outcome)) throw new Error(`rejected: ${outcome.rejected}`);
};

/** Rebuilds every read model. Returns the events per second. */
export const rebuildBench = async (directory: string): Promise<number> => {
  const store = await openEmbeddedStore({ directory, log });
  const begun = performance.now();
  const { position: events } = await store.rebuild({ acceptAltered: false });
  const rate = events / ((performance.now() - begun) / 1000);
  await store.close();
  return rate;
};

/**
 * The events per second of an audit. An audit runs in two threads; `microseconds` is the processor time per event of the thread
 * that used more.
 */
export type AuditRate = { readonly eventsPerSecond: number; readonly microseconds: number };

/** Verifies the whole log as `petstore audit verify` does, in two threads. */
export const auditBench = async (directory: string): Promise<AuditRate> => {
  const audited = await openAuditedLog(parseSettings({ DATA_DIR: directory }));
  const { store: events, codec, upTo, positions, startChains, ownKeys: keys } = audited;
  const begun = performance.now();
  const onFault = ({ reason }: AuditFault): never => {
    throw new Error(reason);
  };
  const [used, usedHere] = [process.cpuUsage(), process.threadCpuUsage()];
  await verifyLog({ store: events, codec, upTo, positions, keys, collected: [], onFault, ...(startChains && { startChains }) });
  const here = timeOf(process.threadCpuUsage(usedHere));
  const elsewhere = timeOf(process.cpuUsage(used)) - here;
  const eventsPerSecond = upTo / ((performance.now() - begun) / 1000);
  await audited.close();
  return { eventsPerSecond, microseconds: Math.max(here, elsewhere) / upTo };
};

const timeOf = ({ user, system }: NodeJS.CpuUsage): number => user + system;

/** Returns the milliseconds from the start of the process until /health/ready is 200. */
export const startBench = async (directory: string): Promise<number> => {
  const begun = performance.now();
  const server = await startServer('dist/apps/petstore/main.js', ['start'], { DATA_DIR: directory, PORT: '0', LOG_LEVEL: 'warn' });
  let ready = false;
  while (!ready) ready = (await fetch(`${server.url}/health/ready`)).ok;
  const milliseconds = performance.now() - begun;
  await server.stop();
  return milliseconds;
};

/** Removes a folder. */
export const removeFolder = (directory: string): void => rmSync(directory, { recursive: true, force: true });
