import { mkdtempSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireServers } from '../../apps/petstore/composition/distributed/open-servers.js';
import { openDistributedStore } from '../../apps/petstore/composition/distributed/distributed.js';
import { openEmbeddedStore } from '../../apps/petstore/composition/embedded/embedded.js';
import type { StorePorts } from '../../apps/petstore/composition/store.module.js';
import { makeToken } from '../../apps/petstore/commands/token.command.js';
import { createLog } from '../../apps/petstore/logging/log.js';
import { PETS } from '../../libs/application/aggregates.js';
import type { PetId } from '../../libs/domain/ids.js';
import { Aggregates } from '../../libs/eventsourcing/aggregates.js';
import { parseSettings } from '../../libs/settings/settings.js';
import { startCluster } from '../servers/cluster.js';
import { openReceiver } from '../servers/receiver.js';
import { median } from './load.js';
import { context, idsOf, removeFolder, throwIfRejected } from './log.bench.js';
import { startServer } from './server.js';

/** The numbers of events of the changed pets. */
export const LENGTHS = [10, 1_000, 10_000] as const;
const ROUNDS = 200;
const WARM_UP = 50;
const STARTS = 3;
/** About 3 KB of JSON. */
const DETAILS = { name: 'Rex', species: 'DOG', ageMonths: 24, description: 'x'.repeat(2_800) } as const;
const log = createLog('warn');

/** The milliseconds of a change of each pet, and of the first change after a start. */
export type ChangeTimes = {
  readonly name: string;
  readonly times: readonly { readonly events: number; readonly median: number; readonly p99: number }[];
  readonly firsts: readonly { readonly events: number; readonly median: number }[];
};

type Subject = { readonly id: PetId; readonly events: number };

/** Lists a pet for each length, and changes it until its stream is that long. */
const listPets = async (ports: StorePorts): Promise<readonly Subject[]> => {
  const aggregates = new Aggregates(ports.store, ports.codec, ports.writers, ports.observedEvents, ports.knowledge);
  const subjects: Subject[] = [];
  for (const events of LENGTHS) {
    const id = idsOf(ports)<PetId>();
    for (let nth = 0; nth < events; nth++) {
      const data = { petId: id, details: { ...DETAILS, ageMonths: nth % 300 }, status: 'AVAILABLE' } as const;
      const command = nth === 0 ? ({ type: 'CreatePet', data: { ...data, number: 1 } } as const) : ({ type: 'UpdatePet', data } as const);
      await throwIfRejected(aggregates.handle(PETS, id, command, context));
    }
    subjects.push({ id, events });
  }
  return subjects;
};

/** Returns a function that changes a pet, and returns the milliseconds of the change. */
const changeAt = (url: string, token: string, agent: Agent) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return (id: PetId, nth: number): Promise<number> =>
    new Promise((resolve, reject) => {
      const begun = performance.now();
      // The status changes each time, so that each change is announced to the endpoint.
      const body = JSON.stringify({ ...DETAILS, ageMonths: nth % 300, status: nth % 2 === 0 ? 'NOT_AVAILABLE' : 'AVAILABLE' });
      const sent = request(`${url}/v1/pets/${id}`, { agent, method: 'PUT', headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`PUT returned ${response.statusCode}`));
        response.resume().once('end', () => resolve(performance.now() - begun));
      });
      sent.once('error', reject).end(body);
    });
};

/** Changes the pets in turn, and measures each change. */
const measure = async (url: string, token: string, subjects: readonly Subject[]): Promise<ChangeTimes['times']> => {
  const agent = new Agent({ keepAlive: true });
  const change = changeAt(url, token, agent);
  const times = new Map(subjects.map(({ id }) => [id, [] as number[]]));
  for (let round = 0; round < WARM_UP + ROUNDS; round++)
    for (const { id } of subjects) {
      const milliseconds = await change(id, round);
      if (round >= WARM_UP) times.get(id)?.push(milliseconds);
    }
  agent.destroy();
  const p99 = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[Math.floor(all.length * 0.99)] ?? NaN;
  return subjects.map(({ id, events }) => ({ events, median: median(times.get(id) ?? []), p99: p99(times.get(id) ?? []) }));
};

/** Registers an endpoint that receives every change of a pet. */
const registerEndpoint = async (url: string, token: string, receiver: string): Promise<void> => {
  const body = JSON.stringify({ url: receiver, events: ['pet.statusChanged'] });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const { status } = await fetch(`${url}/v1/webhooks`, { method: 'POST', headers, body });
  if (status !== 201) throw new Error(`POST /v1/webhooks returned ${status}`);
};

const SCOPES = { scope: 'write:pets write:webhooks', subject: 'bench', expiresIn: 3600 };

type StartedServer = { readonly url: string; readonly stop: () => Promise<unknown> };

/** Measures without and with a webhook endpoint, and then the first change after other starts. */
const measureBoth = async (
  name: string,
  start: () => Promise<StartedServer>,
  token: string,
  subjects: readonly Subject[],
): Promise<readonly ChangeTimes[]> => {
  const receiver = await openReceiver();
  const results: ChangeTimes[] = [];
  for (const how of [name, `${name}, with a webhook endpoint`]) {
    const server = await start();
    if (results.length > 0) await registerEndpoint(server.url, token, receiver.url);
    const times = await measure(server.url, token, subjects);
    await server.stop();
    const firsts = subjects.map((subject) => ({ ...subject, all: [] as number[] }));
    for (let nth = 0; nth < STARTS; nth++)
      for (const { id, all } of firsts) {
        const restarted = await start();
        const agent = new Agent();
        all.push(await changeAt(restarted.url, token, agent)(id, nth));
        agent.destroy();
        await restarted.stop();
      }
    results.push({ name: how, times, firsts: firsts.map(({ events, all }) => ({ events, median: median(all) })) });
  }
  await receiver.close();
  return results;
};

/** Measures changes on one folder. */
export const embeddedChanges = async (): Promise<readonly ChangeTimes[]> => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  try {
    const store = await openEmbeddedStore({ directory, log });
    const subjects = await listPets(store);
    await store.close();
    const token = await makeToken(parseSettings({ DATA_DIR: directory }), SCOPES);
    const settings = { DATA_DIR: directory, PORT: '0', LOG_LEVEL: 'warn', RATE_LIMIT: 'off' };
    const start = (): Promise<StartedServer> => startServer('dist/apps/petstore/main.js', ['start'], settings);
    return await measureBoth('one folder', start, token, subjects);
  } finally {
    removeFolder(directory);
  }
};

/** Measures changes on servers. */
export const distributedChanges = async (): Promise<readonly ChangeTimes[]> => {
  const cluster = await startCluster({ settings: { LOG_LEVEL: 'warn' } });
  try {
    const settings = parseSettings(cluster.settings);
    const store = await openDistributedStore(requireServers(settings), log);
    const subjects = await listPets(store);
    await store.close();
    return await measureBoth('on servers', () => cluster.startApi(), await makeToken(settings, SCOPES), subjects);
  } finally {
    await cluster.close();
  }
};
