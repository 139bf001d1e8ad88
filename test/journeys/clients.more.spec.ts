import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { OauthClient } from '../../apps/api/clients/client.dto.js';
import { caller } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { runPetstore, startServiceProcess } from '../servers/process.js';
import { endPrograms, type ProgramResult } from '../servers/program.js';
import { REJECTED } from './command-fixture.js';

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

const parse = <T>({ code, stdout, stderr }: ProgramResult): T => {
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as T;
};

/** Proves contract 32.4. */
describe('petstore clients', () => {
  it.each(['running', 'stopped'])('adds, lists and removes the clients of a %s service', async (state) => {
    const dataDir = newFolder();
    if (state === 'running') await startServiceProcess({ dataDir });
    else await runPetstore(['seed', '--pets', '1'], { dataDir });
    const run = (...args: readonly string[]) => runPetstore(['clients', ...args], { dataDir });
    const list = async (...args: readonly string[]) => parse<readonly OauthClient[]>(await run('list', '--json', ...args));
    const uris = ['--redirect-uri', 'https://a.example.com/in', 'https://b.example.com/in'];
    const added = parse<{ clientId: string; clientSecret: string }>(await run('add', '--name', 'Finder', ...uris, '--confidential'));
    expect(added).toEqual({ clientId: expect.any(String), clientSecret: expect.any(String) });
    const tenant = randomUUID();
    const kiosk = parse<{ clientId: string }>(await run('add', '--name', 'Kiosk', '--device', '--tenant', tenant));
    expect(Object.keys(kiosk)).toEqual(['clientId']);
    expect(await list()).toEqual([expect.objectContaining({ id: added.clientId, redirectUris: [uris[1], uris[2]], confidential: true })]);
    expect(await list('--tenant', tenant)).toEqual([expect.objectContaining({ id: kiosk.clientId, device: true, tenantId: tenant })]);
    expect((await run('remove', added.clientId)).code).toBe(0);
    expect([await list(), (await run('remove', added.clientId)).code]).toEqual([[], REJECTED]);
  });

  it('registers a program, whose token the service accepts, also with the secret before the last', async () => {
    const dataDir = newFolder();
    const { url } = await startServiceProcess({ dataDir });
    const run = (...args: readonly string[]) => runPetstore(['clients', ...args], { dataDir });
    type Printed = { readonly clientId: string; readonly clientSecret: string };
    const added = parse<Printed>(await run('add', '--name', 'Stock sync', '--program', '--scope', 'write:pets', 'read:pets'));
    const rotated = parse<Printed>(await run('secret', added.clientId));
    expect([rotated.clientId, rotated.clientSecret === added.clientSecret]).toEqual([added.clientId, false]);
    for (const { clientId, clientSecret } of [added, rotated]) {
      const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
      const body = new URLSearchParams({ grant_type: 'client_credentials' });
      const answer = await fetch(`${url}/oauth/token`, { method: 'POST', headers: { authorization }, body });
      const { access_token: token, scope } = (await answer.json()) as { readonly access_token: string; readonly scope: string };
      expect([answer.status, scope]).toEqual([200, 'write:pets read:pets']);
      expect((await caller(url, token)('GET', '/v1/inventories')).status).toBe(200);
    }
  });

  it('names the invalid field of a rejected client', async () => {
    const dataDir = newFolder();
    await runPetstore(['seed', '--pets', '1'], { dataDir });
    const { code, stderr } = await runPetstore(['clients', 'add', '--name', 'App', '--redirect-uri', 'http://app.example.com'], {
      dataDir,
    });
    expect([code, stderr]).toEqual([REJECTED, expect.stringContaining('redirectUris[0]')]);
  });
});
