import type { Cluster } from '../servers/cluster.js';

/** Milliseconds that a share of all took at most. */
export type Spread = { readonly name: string; readonly median: number; readonly p99: number; readonly goal: number };

const SECONDS = 20;
const AGES = 1_000;
const PET = { name: 'Biscuit', species: 'DOG', breed: 'Beagle', ageMonths: 14, size: 'MEDIUM', price: '250.00', currency: 'USD' };
const CARD = { object: 'card', number: '4242424242424242', cvc: '123', expMonth: 12, expYear: 2035 };

type Ask = (method: string, path: string, body?: object) => Promise<{ readonly status: number; readonly json: never }>;

const asking =
  (url: string, token: string): Ask =>
  async (method, path, body) => {
    const answer = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, json: (await answer.json()) as never };
  };

/** Begins something so many times a second, whether or not what was begun before has ended, and waits for all. */
const steadily = async (perSecond: number, seconds: number, work: () => Promise<number>): Promise<readonly number[]> => {
  const begun = performance.now();
  const all: Promise<number>[] = [];
  while (all.length < perSecond * seconds) {
    const due = ((performance.now() - begun) / 1000) * perSecond;
    while (all.length < due && all.length < perSecond * seconds) all.push(work());
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return Promise.all(all);
};

const spreadOf = (name: string, goal: number, milliseconds: readonly number[]): Spread => {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
  return { name, goal, median: at(0.5), p99: at(0.99) };
};

const until = async (there: () => Promise<boolean>, every: number): Promise<void> => {
  while (!(await there())) await new Promise((resolve) => setTimeout(resolve, every));
};

/** From sending a creation until the list shows it, at 200 a second. */
export const visibleBench = async ({ apis }: Cluster, token: string): Promise<Spread> => {
  const ask = asking(apis[0]?.url ?? '', token);
  let made = 0;
  const one = async (): Promise<number> => {
    const begun = performance.now();
    // Of one age, so that a list of a few finds it however many come after it.
    const ageMonths = made++ % AGES;
    const { status, json } = await ask('POST', '/v1/pets', { ...PET, ageMonths });
    if (status !== 201) throw new Error(`a creation answered ${status}`);
    const { id } = json as { id: string };
    await until(async () => {
      const { json: list } = await ask('GET', `/v1/pets?ageMin=${ageMonths}&ageMax=${ageMonths}&limit=5`);
      return (list as { data: { id: string }[] }).data.some((pet) => pet.id === id);
    }, 5);
    return performance.now() - begun;
  };
  await steadily(50, 3, one);
  return spreadOf('POST /v1/pets until the list shows it, 200 a second', 250, await steadily(200, SECONDS, one));
};

/** From the answer to a payment until its order is approved, through Kafka, at 50 orders a second. */
export const approvedBench = async ({ apis }: Cluster, token: string): Promise<Spread> => {
  const ask = asking(apis[0]?.url ?? '', token);
  const one = async (): Promise<number> => {
    const pet = (await ask('POST', '/v1/pets', PET)).json as { id: string };
    const order = (await ask('POST', '/v1/orders', { petId: pet.id })).json as { id: string };
    const { status } = await ask('POST', `/v1/orders/${order.id}/payment`, { amount: '250.00', currency: 'USD', source: CARD });
    if (status !== 201) throw new Error(`a payment answered ${status}`);
    const paid = performance.now();
    await until(async () => ((await ask('GET', `/v1/orders/${order.id}`)).json as { status: string }).status === 'approved', 10);
    return performance.now() - paid;
  };
  await steadily(10, 5, one);
  return spreadOf('order paid until approved, through Kafka, 50 orders a second', 150, await steadily(50, SECONDS, one));
};
