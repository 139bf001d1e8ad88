import { Agent, request } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { every } from '../../apps/api/http/machine-time.js';
import { eventually } from '../eventually.js';
import { printLine } from '../print-line.js';
import { caller } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { startServiceProcess, tokenFor, type ServiceProcess } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';
import { findProxy, proxyPorts, startProxy, type ProxyName } from '../servers/proxies.js';
import { isMissing } from '../servers/services/shared.js';

const RATE = 200;
const RESTARTS = 5;
/** Requests between two restarts. */
const BETWEEN = 300;

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

/** What became of the requests of a load. */
type Outcomes = { sent: number; answered: number; created: number; refused: number; byProxy: number; reset: string[] };

/** Sends requests at a constant rate on kept connections, every fourth of them a POST. */
const startLoad = (url: string, token: string) => {
  const agent = new Agent({ keepAlive: true });
  const outcomes: Outcomes = { sent: 0, answered: 0, created: 0, refused: 0, byProxy: 0, reset: [] };
  const body = JSON.stringify({ name: 'Rex', species: 'DOG', ageMonths: 3 });
  let open = 0;
  const finish = (count: () => void): void => {
    open--;
    count();
  };
  const send = (): void => {
    const isPost = outcomes.sent++ % 4 === 0;
    const headers = isPost ? { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': body.length } : {};
    open++;
    const outgoing = request(`${url}/v1/pets?limit=1`.replace(isPost ? '?limit=1' : '', ''), {
      agent,
      method: isPost ? 'POST' : 'GET',
      headers,
    });
    outgoing.on('error', ({ code = '' }: NodeJS.ErrnoException) =>
      finish(() => (code === 'ECONNREFUSED' ? outcomes.refused++ : outcomes.reset.push(`${outgoing.method} ${code}`))),
    );
    outgoing.on('response', (incoming) => {
      // A proxy answers in place of a service that refused the connection. Its own answers have no id of a request.
      const isService = incoming.headers['x-request-id'] !== undefined;
      if (incoming.statusCode === 201) outcomes.created++;
      incoming.resume().on('close', () => finish(() => (isService ? outcomes.answered++ : outcomes.byProxy++)));
    });
    outgoing.end(isPost ? body : undefined);
  };
  const stop = every(1_000 / RATE, send);
  return {
    outcomes,
    async end() {
      stop();
      await eventually('the last answers', () => open === 0);
      agent.destroy();
    },
  };
};

/** What a proxy logs about a connection that the service accepted and then closed without an answer. */
const LOSSES = /prematurely closed|reset by peer|ended S[HD]/g;

const restartUnderLoad = async (name: ProxyName | null): Promise<void> => {
  const ports = await proxyPorts();
  const dataDir = newFolder();
  const startService = (): Promise<ServiceProcess> =>
    startServiceProcess({ dataDir, env: { PORT: String(ports.service), LOG_LEVEL: 'warn' } });
  let service = await startService();
  const token = await tokenFor(dataDir);
  const proxy = name && (await startProxy(name, newFolder(), ports));
  const load = startLoad(proxy?.url ?? service.url, token);
  for (let restart = 0; restart < RESTARTS; restart++) {
    const goal = load.outcomes.answered + BETWEEN;
    await eventually('answers', () => load.outcomes.answered >= goal);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    service = await startService();
  }
  await load.end();
  const { sent, answered, created, refused, byProxy, reset } = load.outcomes;
  const stored = (await caller(service.url)('GET', '/v1/pets?limit=1')).json['pagination'] as { readonly totalItems: number };
  const losses = proxy?.log().match(LOSSES) ?? [];
  await proxy?.stop();
  await service.stop();
  printLine(
    `${name ?? 'straight'}: ${RESTARTS} restarts, ${sent} sent, ${answered} answered, ${refused + byProxy} not accepted, ${losses.length} lost by the service, ${reset.length} reset`,
  );
  // While no service runs, HAProxy closes connections of clients after its own 503. Its log then says that the service refused.
  expect(proxy ? losses : reset).toEqual([]);
  // No pet was created whose response was lost.
  expect(stored.totalItems).toBe(created);
  expect(answered + refused + byProxy + reset.length).toBe(sent);
};

/** Proves contract 26.4. */
describe(`a service that restarts ${RESTARTS} times by SIGTERM, under ${RATE} requests a second`, () => {
  it('answers every request that it accepted', () => restartUnderLoad(null));

  for (const name of ['haproxy', 'nginx'] as const) {
    const found = findProxy(name);
    if (isMissing(found)) printLine(`skips the restarts behind ${name}: ${found.missing}`);
    (isMissing(found) ? it.skip : it)(`answers every request that it accepted from ${name}`, () => restartUnderLoad(name));
  }
});
