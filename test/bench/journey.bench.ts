import { Agent, request } from 'node:http';
import type { Cluster } from '../servers/cluster.js';

/** The median and the 99th percentile of a latency, and the goal for the 99th percentile. All are milliseconds. */
export type Latency = { readonly name: string; readonly median: number; readonly p99: number; readonly goal: number };

const SECONDS = 20;
const WARM_UP = 10;
const AGES = 1_000;
/** Of every four requests, the benchmark polls for the effect of one. Polls for all requests would cost too much CPU. */
const POLL_EVERY = 4;
/** Milliseconds between two polls. */
const POLL_INTERVAL = 25;
const PET = { name: 'Biscuit', species: 'DOG', breed: 'Beagle', ageMonths: 14, size: 'MEDIUM', price: '250.00', currency: 'USD' };
const CARD = { object: 'card', number: '4242424242424242', cvc: '123', expMonth: 12, expYear: 2035 };

type Call = (method: string, path: string, body?: object) => Promise<{ readonly status: number; readonly json: never }>;

/** Returns a client that sends requests to the processes in turn, over keep-alive connections. */
export const createCaller = (urls: readonly string[], token: string): Call => {
  const agent = new Agent({ keepAlive: true });
  let sent = 0;
  return (method, path, body) =>
    new Promise((resolve, reject) => {
      const text = body && JSON.stringify(body);
      const headers = { authorization: `Bearer ${token}`, ...(text && { 'content-type': 'application/json' }) };
      const url = urls[sent++ % urls.length] ?? '';
      const outgoing = request(url + path, { agent, method, headers }, (response) => {
        let received = '';
        response.setEncoding('utf8').on('data', (part: string) => (received += part));
        response
          .once('end', () => resolve({ status: response.statusCode ?? 0, json: JSON.parse(received) as never }))
          .once('error', reject);
      });
      outgoing.once('error', reject).end(text);
    });
};

/**
 * Calls `work` at a constant rate, without waiting for earlier calls. Then waits for all calls. Returns the milliseconds of the
 * calls that measured a time. The other calls return null.
 */
const runAtRate = async (
  perSecond: number,
  seconds: number,
  work: (isPolled: boolean) => Promise<number | null>,
): Promise<readonly number[]> => {
  const begun = performance.now();
  const all: Promise<number | null>[] = [];
  while (all.length < perSecond * seconds) {
    const due = ((performance.now() - begun) / 1000) * perSecond;
    while (all.length < due && all.length < perSecond * seconds) all.push(work(all.length % POLL_EVERY === 0));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return (await Promise.all(all)).filter((milliseconds) => milliseconds !== null);
};

const latencyOf = (name: string, goal: number, milliseconds: readonly number[]): Latency => {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
  return { name, goal, median: at(0.5), p99: at(0.99) };
};

/** Waits until something is visible. */
export const pollUntil = async (isVisible: () => Promise<boolean>): Promise<void> => {
  while (!(await isVisible())) await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));
};

const urlsOf = ({ apis }: Cluster): readonly string[] => apis.map(({ url }) => url);

/** Measures the time from the creation of a pet until a list contains the pet, at 200 creations a second. */
export const visibleBench = async (cluster: Cluster, token: string): Promise<Latency> => {
  const call = createCaller(urlsOf(cluster), token);
  let created = 0;
  const one = async (isPolled: boolean): Promise<number | null> => {
    const begun = performance.now();
    // Successive pets differ in age. So a list filtered by this age is short, and it soon contains the new pet.
    const ageMonths = created++ % AGES;
    const { status, json } = await call('POST', '/v1/pets', { ...PET, ageMonths });
    if (status !== 201) throw new Error(`POST /v1/pets returned ${status}`);
    if (!isPolled) return null;
    const { id } = json as { id: string };
    await pollUntil(async () => {
      const { json: list } = await call('GET', `/v1/pets?ageMin=${ageMonths}&ageMax=${ageMonths}&limit=5`);
      return (list as { data: { id: string }[] }).data.some((pet) => pet.id === id);
    });
    return performance.now() - begun;
  };
  await runAtRate(200, WARM_UP, one);
  return latencyOf('POST /v1/pets until the list shows it, 200 a second', 250, await runAtRate(200, SECONDS, one));
};

/** Measures the time from the response to a payment until its order is approved, at 50 orders a second. */
export const approvedBench = async (cluster: Cluster, token: string): Promise<Latency> => {
  const call = createCaller(urlsOf(cluster), token);
  // The pets are created before the measurement.
  const pets: string[] = [];
  const list = async (): Promise<null> => {
    pets.push(((await call('POST', '/v1/pets', PET)).json as { id: string }).id);
    return null;
  };
  await runAtRate(100, (50 * (WARM_UP + SECONDS)) / 100, list);
  const one = async (isPolled: boolean): Promise<number | null> => {
    const order = (await call('POST', '/v1/orders', { petId: pets.pop() })).json as { id: string };
    const { status } = await call('POST', `/v1/orders/${order.id}/payment`, { amount: '250.00', currency: 'USD', source: CARD });
    if (status !== 201) throw new Error(`POST /v1/orders/{id}/payment returned ${status}`);
    if (!isPolled) return null;
    const paid = performance.now();
    await pollUntil(async () => ((await call('GET', `/v1/orders/${order.id}`)).json as { status: string }).status === 'approved');
    return performance.now() - paid;
  };
  await runAtRate(50, WARM_UP, one);
  return latencyOf('order paid until approved, through Kafka, 50 orders a second', 150, await runAtRate(50, SECONDS, one));
};
