import { expect } from '@jest/globals';
import { eventually } from '../eventually.js';
import { printLine } from '../print-line.js';
import type { Call } from '../servers/calling.js';
import { openReceiver } from '../servers/receiver.js';

/** The schedule of the service: a failed delivery is sent again after three seconds, with a jitter of a tenth. */
export const RETRY_DELAYS = '0s,3s,3s';
const PAUSE = 3_000;
/** A pause may be longer by the jitter, and by the time that a busy machine takes. */
const LONGEST_PAUSE = 4_500;
/** The longest time until the first attempt and until a charge has succeeded, in milliseconds. */
const AT_ONCE = 1_000;
const SAMPLES = 3;

/** A receiver that fails the first attempt of each delivery. */
export type FailingReceiver = {
  /** Registers an endpoint for all changes of pets. */
  register(call: Call): Promise<void>;
  /** Creates a pet, whose name identifies its deliveries. Returns when the service has answered, by `performance.now`. */
  listPet(call: Call, name: string): Promise<number>;
  /** Waits for attempts of a pet's delivery. Returns when each has arrived, by `performance.now`. */
  untilAttempts(name: string, count: number): Promise<readonly number[]>;
  /** Waits until the service has stored the first attempt of the only delivery. */
  untilStored(call: Call): Promise<void>;
  /** Waits for the second attempt, and expects that it came after the pause. */
  expectPause(name: string): Promise<void>;
  close(): Promise<void>;
};

export const openFailingReceiver = async (): Promise<FailingReceiver> => {
  const receiver = await openReceiver();
  const attempts = new Map<string, number[]>();
  receiver.respondWith(({ body }) => {
    const { name } = (JSON.parse(body) as { data: { pet: { name: string } } }).data.pet;
    const times = attempts.get(name) ?? [];
    attempts.set(name, [...times, performance.now()]);
    return { status: times.length === 0 ? 500 : 204 };
  });
  const untilAttempts = (name: string, count: number): Promise<readonly number[]> =>
    eventually(`${count} attempts for ${name}`, () => {
      const times = attempts.get(name) ?? [];
      return times.length >= count ? times : null;
    });
  let webhook = '';
  return {
    untilAttempts,
    async register(call) {
      const { status, json } = await call('POST', '/v1/webhooks', { body: { url: receiver.url, events: ['pet.statusChanged'] } });
      expect(status).toBe(201);
      webhook = String(json['id']);
    },
    untilStored: (call) =>
      eventually('a stored attempt', async () => {
        const { json } = await call('GET', `/v1/webhooks/${webhook}/deliveries`);
        return (json['data'] as readonly { attempts: readonly unknown[] }[])[0]?.attempts.length === 1;
      }).then(() => undefined),
    async listPet(call, name) {
      const { status } = await call('POST', '/v1/pets', { body: { name, species: 'DOG', ageMonths: 3 } });
      expect(status).toBe(201);
      return performance.now();
    },
    async expectPause(name) {
      const [first = 0, second = 0] = await untilAttempts(name, 2);
      printLine(`${name}: ${Math.round(second - first)} ms between the attempts`);
      expect(second - first).toBeGreaterThanOrEqual(PAUSE - 100);
      expect(second - first).toBeLessThan(LONGEST_PAUSE);
    },
    close: () => receiver.close(),
  };
};

/** Buys a pet. Returns the milliseconds from the answer to the payment until the payment has succeeded. */
const chargeTime = async (call: Call, name: string): Promise<number> => {
  const listed = await call('POST', '/v1/pets', { body: { name, species: 'DOG', ageMonths: 3 } });
  const ordered = await call('POST', '/v1/orders', { body: { petId: listed.json['id'] } });
  const order = `/v1/orders/${String(ordered.json['id'])}`;
  const source = { object: 'bank_account', number: '000123456789', sortCode: '110000', name: 'Banked Payer' };
  const paid = await call('POST', `${order}/payment`, { body: { amount: '10.00', currency: 'USD', source } });
  expect([listed.status, ordered.status, paid.status]).toEqual([201, 201, 201]);
  const begun = performance.now();
  await eventually(`the payment for ${name}`, async () => (await call('GET', `${order}/payment`)).json['status'] === 'succeeded');
  return performance.now() - begun;
};

const median = (times: readonly number[]): number => times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;

/** Expects that first deliveries and charges start at once, and that failed deliveries keep their pauses. */
export const expectPunctual = async (call: Call, receiver: FailingReceiver): Promise<void> => {
  const [deliveries, charges]: [number[], number[]] = [[], []];
  for (let sample = 0; sample < SAMPLES; sample++) {
    const name = `Pet ${sample} at ${performance.now()}`;
    const listedAt = await receiver.listPet(call, name);
    const [first = 0] = await receiver.untilAttempts(name, 1);
    deliveries.push(first - listedAt);
    charges.push(await chargeTime(call, `Bought ${name}`));
    await receiver.expectPause(name);
  }
  printLine(`first attempts after ${Math.round(median(deliveries))} ms, charges after ${Math.round(median(charges))} ms (medians)`);
  expect(median(deliveries)).toBeLessThan(AT_ONCE);
  expect(median(charges)).toBeLessThan(AT_ONCE);
};
