import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { runPetstore, startServiceProcess } from '../servers/process.js';
import { endPrograms, runProgram } from '../servers/program.js';

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
  await endPrograms();
  removeFolders();
});

describe('a proxy of the environment', () => {
  it('sees no request of a command or a health check to this machine', async () => {
    const seen: string[] = [];
    const proxy = createServer((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`);
      response.writeHead(502).end();
    }).on('connect', (request, socket) => {
      seen.push(`CONNECT ${request.url}`);
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    servers.push(proxy.listen(0, '127.0.0.1'));
    await once(proxy, 'listening');
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'];
    const env = { NODE_USE_ENV_PROXY: '1', ...Object.fromEntries(names.map((name) => [name, url])) };
    const dataDir = newFolder();
    const service = await startServiceProcess({ dataDir, env });
    const port = new URL(service.url).port;
    const commands = [
      ['health'],
      ['health', 'api'],
      ['trigger', 'pet.statusChanged'],
      ['trigger', 'pet.statusChanged', '--url', service.url],
      ['seed', '--pets', '3', '--pictures', '1'],
      ['users', 'list'],
    ];
    for (const args of commands) {
      const { code, stderr } = await runPetstore(args, { dataDir, env: { ...env, PORT: port } });
      expect({ args, code, stderr: code === 0 ? '' : stderr }).toEqual({ args, code: 0, stderr: '' });
    }
    expect(seen).toEqual([]);
    // The proxy works: with the same environment, Node sends other requests to it.
    await runProgram(process.execPath, ['-e', `fetch('${service.url}/health/live').catch(() => 0)`], { env });
    expect(seen.length).toBeGreaterThan(0);
  });
});
