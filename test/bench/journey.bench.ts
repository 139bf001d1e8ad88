import { Agent, request } from 'node:http';
import type { Cluster } from '../servers/cluster.js';

/** Milliseconds that a share of all took at most. */
export type Spread = { readonly name: string; readonly median: number; readonly p99: number; readonly goal: number };

const SECONDS = 20;
const WARM_UP = 10;
const AGES = 1_000;
/** One of so many is followed until it is done: polling costs the two cores more than the orders do. */
const FOLLOWED = 4;
/** Between two looks, in milliseconds. */
const LOOK_EVERY = 25;
const PET = { name: 'Biscuit', species: 'DOG', breed: 'Beagle', ageMonths: 14, size: 'MEDIUM', price: '250.00', currency: 'USD' };
const CARD = { object: 'card', number: '4242424242424242', cvc: '123', expMonth: 12, expYear: 2035 };

type Ask = (method: string, path: string, body?: object) => Promise<{ readonly status: number; readonly json: never }>;

/** Asks the processes in turn, each over connections that are kept. */
const asking = (urls: readonly string[], token: string): Ask => {
  const agent = new Agent({ keepAlive: true });
  let asked = 0;
  return (method, path, body) =>
    new Promise((resolve, reject) => {
      const text = body && JSON.stringify(body);
      const headers = { authorization: `Bearer ${token}`, ...(text && { 'content-type': 'application/json' }) };
      const url = urls[asked++ % urls.length] ?? '';
      const asking = request(url + path, { agent, method, headers }, (answer) => {
        let said = '';
        answer.setEncoding('utf8').on('data', (part: string) => (said += part));
        answer.once('end', () => resolve({ status: answer.statusCode ?? 0, json: JSON.parse(said) as never })).once('error', reject);
      });
      asking.once('error', reject).end(text);
    });
};

/** Begins something so many times a second, whether or not what was begun before has ended, and waits for all. */
const steadily = async (
  perSecond: number,
  seconds: number,
  work: (follow: boolean) => Promise<number | null>,
): Promise<readonly number[]> => {
  const begun = performance.now();
  const all: Promise<number | null>[] = [];
  while (all.length < perSecond * seconds) {
    const due = ((performance.now() - begun) / 1000) * perSecond;
    while (all.length < due && all.length < perSecond * seconds) all.push(work(all.length % FOLLOWED === 0));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return (await Promise.all(all)).filter((milliseconds) => milliseconds !== null);
};

const spreadOf = (name: string, goal: number, milliseconds: readonly number[]): Spread => {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
  return { name, goal, median: at(0.5), p99: at(0.99) };
};

const until = async (there: () => Promise<boolean>): Promise<void> => {
  while (!(await there())) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
};

const urlsOf = ({ apis }: Cluster): readonly string[] => apis.map(({ url }) => url);

/** From sending a creation until the list shows it, at 200 a second. */
export const visibleBench = async (cluster: Cluster, token: string): Promise<Spread> => {
  const ask = asking(urlsOf(cluster), token);
  let made = 0;
  const one = async (follow: boolean): Promise<number | null> => {
    const begun = performance.now();
    // Of one age, so that a list of a few finds it however many come after it.
    const ageMonths = made++ % AGES;
    const { status, json } = await ask('POST', '/v1/pets', { ...PET, ageMonths });
    if (status !== 201) throw new Error(`a creation answered ${status}`);
    if (!follow) return null;
    const { id } = json as { id: string };
    await until(async () => {
      const { json: list } = await ask('GET', `/v1/pets?ageMin=${ageMonths}&ageMax=${ageMonths}&limit=5`);
      return (list as { data: { id: string }[] }).data.some((pet) => pet.id === id);
    });
    return performance.now() - begun;
  };
  await steadily(200, WARM_UP, one);
  return spreadOf('POST /v1/pets until the list shows it, 200 a second', 250, await steadily(200, SECONDS, one));
};

/** From the answer to a payment until its order is approved, through Kafka, at 50 orders a second. */
export const approvedBench = async (cluster: Cluster, token: string): Promise<Spread> => {
  const ask = asking(urlsOf(cluster), token);
  // Who orders finds the pets there.
  const pets: string[] = [];
  const list = async (): Promise<null> => {
    pets.push(((await ask('POST', '/v1/pets', PET)).json as { id: string }).id);
    return null;
  };
  await steadily(100, (50 * (WARM_UP + SECONDS)) / 100, list);
  const one = async (follow: boolean): Promise<number | null> => {
    const order = (await ask('POST', '/v1/orders', { petId: pets.pop() })).json as { id: string };
    const { status } = await ask('POST', `/v1/orders/${order.id}/payment`, { amount: '250.00', currency: 'USD', source: CARD });
    if (status !== 201) throw new Error(`a payment answered ${status}`);
    if (!follow) return null;
    const paid = performance.now();
    await until(async () => ((await ask('GET', `/v1/orders/${order.id}`)).json as { status: string }).status === 'approved');
    return performance.now() - paid;
  };
  await steadily(50, WARM_UP, one);
  return spreadOf('order paid until approved, through Kafka, 50 orders a second', 150, await steadily(50, SECONDS, one));
};
