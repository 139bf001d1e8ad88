import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { runPetstore, startServiceProcess } from '../servers/process.js';
import { endPrograms, type ProgramResult } from '../servers/program.js';

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
  await endPrograms();
  removeFolders();
});

/** Starts a server that handles requests with `answer`. Returns its port. */
const serve = async (answer: RequestListener, host = '127.0.0.1'): Promise<string> => {
  const server = createServer(answer).listen(0, host);
  servers.push(server);
  await once(server, 'listening');
  return String((server.address() as AddressInfo).port);
};

const serveStatus = (status: number): Promise<string> => serve((_, response) => response.writeHead(status).end());

/** Nothing listens on this port, and no test can get it by chance. */
const CLOSED_PORT = '1';

const health = async (settings: Readonly<Record<string, string>>, ...words: readonly string[]): Promise<ProgramResult> =>
  runPetstore(['health', ...words], { dataDir: newFolder(), env: settings });

/** Proves contract 25. */
describe('petstore health', () => {
  it('exits with 0 while the service runs, and with 1 after it has stopped', async () => {
    const service = await startServiceProcess({ dataDir: newFolder() });
    const settings = { PORT: new URL(service.url).port, WORKER_PORT: CLOSED_PORT };
    expect(await health(settings)).toMatchObject({ code: 0, stdout: `live: ${service.url}/health/live\n`, stderr: '' });
    expect(await health(settings, 'api')).toMatchObject({ code: 0 });
    await service.stop();
    const { code, stdout, stderr } = await health(settings);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      `no process listens at ${service.url}/health/live (PORT)\nno process listens at http://127.0.0.1:${settings.WORKER_PORT}/health/live (WORKER_PORT)\n`,
    );
  });

  it('finds the service by DATA_DIR, whatever PORT says, and no other service', async () => {
    const [dataDir, other] = [newFolder(), newFolder()];
    const [service, neighbour] = await Promise.all([startServiceProcess({ dataDir }), startServiceProcess({ dataDir: other })]);
    const check = () => runPetstore(['health'], { dataDir, env: { PORT: new URL(neighbour.url).port, WORKER_PORT: CLOSED_PORT } });
    expect(await check()).toMatchObject({ code: 0, stdout: `live: ${service.url}/health/live\n`, stderr: '' });
    await service.stop();
    expect(await check()).toMatchObject({ code: 1, stdout: '', stderr: `no service runs on ${dataDir} (DATA_DIR)\n` });
  });

  it('finds a worker on WORKER_PORT', async () => {
    const settings = { PORT: CLOSED_PORT, WORKER_PORT: await serveStatus(200) };
    const [any, worker, api] = await Promise.all([health(settings), health(settings, 'worker'), health(settings, 'api')]);
    expect([any.code, worker.code, api.code]).toEqual([0, 0, 1]);
  });

  it('sends its request to loopback if HOST is 0.0.0.0', async () => {
    const everywhere = await serve((_, response) => response.end(), '0.0.0.0');
    const answer = await health({ PORT: everywhere, HOST: '0.0.0.0', ACCESS_POLICY: 'strict' }, 'api');
    expect(answer).toMatchObject({ code: 0, stdout: `live: http://127.0.0.1:${everywhere}/health/live\n` });
  });

  it('names the status of a process that is not live, and waits two seconds for a silent one', async () => {
    const [failing, silent] = await Promise.all([serveStatus(500), serve(() => undefined)]);
    const [failed, waited] = await Promise.all([health({ PORT: failing }, 'api'), health({ PORT: silent }, 'api')]);
    expect([failed.code, failed.stderr]).toEqual([1, `http://127.0.0.1:${failing}/health/live (PORT) answers 500\n`]);
    expect([waited.code, waited.stderr]).toEqual([1, `http://127.0.0.1:${silent}/health/live (PORT) does not answer within 2000 ms\n`]);
  });

  it('rejects an unknown process, an unknown port and invalid settings with 2', async () => {
    const [unknown, zero, invalid] = await Promise.all([health({}, 'relay'), health({ PORT: '0' }, 'api'), health({ PORT: 'x' })]);
    expect([unknown.code, zero.code, invalid.code]).toEqual([2, 2, 2]);
    expect(unknown.stderr).toMatch(/'relay' is invalid.*Allowed choices are api, worker/);
    expect(zero.stderr).toBe('PORT is 0, so the port of the process is unknown: set PORT to that port\n');
    expect(invalid.stderr).toContain('PORT is "x"');
  });
});
