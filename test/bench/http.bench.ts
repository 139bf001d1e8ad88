import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadFor, median, type Requests, type Round } from './load.js';
import { NEW_PET } from './new-pet.js';
import { startServer, type Server } from './server.js';

const ROUNDS = 5;
const SECONDS = 3;
const SAMPLE = 1_000;

/** A line of the report: a request, and the results of the service and of Fastify alone. */
export type HttpComparison = { readonly name: string; readonly goal: number; readonly service: Round; readonly bare: Round };

type Scenario = { readonly name: string; readonly goal: number; readonly requests: Requests };

/** Measures, in alternating rounds, the service on `dataDir` and Fastify alone. Returns the medians of the rounds. */
export const httpBench = async (dataDir: string, makeToken: () => Promise<string>): Promise<readonly HttpComparison[]> => {
  const service = await startServer('dist/apps/petstore/main.js', ['start'], {
    DATA_DIR: dataDir,
    PORT: '0',
    RATE_LIMIT: '100000000/60s',
    LOG_LEVEL: 'warn',
  });
  try {
    const token = await makeToken();
    const recording = await record(service.url, token);
    const file = join(dataDir, 'recorded-answers.json');
    writeFileSync(file, JSON.stringify(recording));
    const bare = await startServer('dist/test/bench/bare-server.js', [file]);
    try {
      const compared: HttpComparison[] = [];
      for (const scenario of scenariosOf(recording, token)) compared.push(await compare(scenario, service, bare));
      return compared;
    } finally {
      await bare.stop();
    }
  } finally {
    await service.stop();
  }
};

const compare = async ({ name, goal, requests }: Scenario, service: Server, bare: Server): Promise<HttpComparison> => {
  const rounds: { service: Round[]; bare: Round[] } = { service: [], bare: [] };
  await loadFor(service.url, service.pid, requests, 1);
  await loadFor(bare.url, bare.pid, requests, 1);
  for (let round = 0; round < ROUNDS; round++) {
    rounds.bare.push(await loadFor(bare.url, bare.pid, requests, SECONDS));
    rounds.service.push(await loadFor(service.url, service.pid, requests, SECONDS));
    process.stderr.write(`${name}: round ${round + 1} of ${ROUNDS}\n`);
  }
  return { name, goal, service: medianRound(rounds.service), bare: medianRound(rounds.bare) };
};

const medianRound = (rounds: readonly Round[]): Round => ({
  requestsPerSecond: median(rounds.map(({ requestsPerSecond }) => requestsPerSecond)),
  requestsPerCpuSecond: median(rounds.map(({ requestsPerCpuSecond }) => requestsPerCpuSecond)),
  p99: median(rounds.map(({ p99 }) => p99)),
});

type Recording = { readonly pets: Record<string, string>; readonly lists: Record<string, string>; readonly created: string };

const record = async (url: string, token: string): Promise<Recording> => {
  const read = async (path: string): Promise<string> => {
    const response = await fetch(url + path);
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return response.text();
  };
  const lists: Record<string, string> = {};
  for (const species of ['DOG', 'CAT', 'RABBIT', 'BIRD'])
    for (const filter of [
      'size=SMALL',
      'size=MEDIUM',
      'size=LARGE',
      'goodWithKids=true',
      'ageMin=6&ageMax=48',
      'ageMax=120&goodWithKids=true',
    ]) {
      const query = `species=${species}&status=AVAILABLE&${filter}&limit=20`;
      lists[query] = await read(`/v1/pets?${query}`);
    }
  const pets: Record<string, string> = {};
  for (let page = 1; Object.keys(pets).length < SAMPLE; page++) {
    const { data } = JSON.parse(await read(`/v1/pets?limit=100&page=${page * 7}`)) as { data: { id: string }[] };
    for (const { id } of data) pets[id] = await read(`/v1/pets/${id}`);
  }
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const created = await fetch(`${url}/v1/pets`, { method: 'POST', headers, body: JSON.stringify(NEW_PET) });
  return { pets, lists, created: await created.text() };
};

const scenariosOf = ({ pets, lists }: Recording, token: string): readonly Scenario[] => [
  { name: 'GET /v1/pets/{id}', goal: 0.7, requests: { method: 'GET', paths: Object.keys(pets).map((id) => `/v1/pets/${id}`) } },
  {
    name: 'GET /v1/pets, 20 of 100,000, filtered, with totals',
    goal: 0.3,
    requests: { method: 'GET', paths: Object.keys(lists).map((query) => `/v1/pets?${query}`) },
  },
  {
    name: 'POST /v1/pets, durable',
    goal: 0.3,
    requests: {
      method: 'POST',
      paths: ['/v1/pets'],
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(NEW_PET),
    },
  },
];
