import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { openModelServer, says, type ModelServer } from '../../libs/adapters/language-model/model-server.fixtures.js';
import { eventually } from '../eventually.js';
import { ask, CHAT } from '../http/chat.js';
import { fileUpload, noisyImage } from '../http/image-files.js';
import { addClient, authorize, createPerson, discover } from '../http/oauth-people.js';
import { expectProblem } from '../http/problems.js';
import { PLAIN_PET, type Pet } from '../http/shop.js';
import { createClient, type Client, type HttpResponse } from '../servers/client.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { endPrograms } from '../servers/program.js';
import { findProxy, PROXIES, proxyPorts, startProxy, type ProxyName, type RunningProxy } from '../servers/proxies.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { startOwnPetstore, type TestPetstore } from '../servers/test-petstore.js';

const MEBIBYTE = 1_048_576;
const SCOPES = 'read:pets write:pets write:orders chat:write ops';

/** Proxies do not compress small bodies. */
const CALM_PET = { ...PLAIN_PET, description: 'calm '.repeat(380).trim() };

afterAll(async () => {
  await endPrograms();
  removeFolders();
});

/** A service whose clients reach it through a proxy. */
type Proxied = { readonly store: TestPetstore; readonly client: Client; readonly proxy: RunningProxy; close(): Promise<void> };

const openProxied = async (name: ProxyName, model: string, edit?: (block: string) => string): Promise<Proxied> => {
  const ports = await proxyPorts();
  const url = `http://127.0.0.1:${ports.proxy}`;
  const settings = { PORT: String(ports.service), PUBLIC_URL: url, TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT: '1000/60s' };
  const ofModel = {
    ADVISOR_BASE_URL: model,
    ADVISOR_API_KEY: 'key-of-the-model',
    ADVISOR_MODELS: 'PET_ADVISOR_1=large,PET_ADVISOR_TURBO=small',
  };
  const service = await startOwnPetstore({ ...settings, ...ofModel });
  const proxy = await startProxy(name, newFolder(), ports, edit);
  const client = createClient(proxy.url);
  const send: TestPetstore['request'] = <T>(...call: Parameters<Client['send']>) => client.send(...call) as Promise<HttpResponse<T>>;
  const close = async (): Promise<void> => {
    client.close();
    await proxy.stop();
    await service.stop();
  };
  return { store: { ...service, url: proxy.url, request: send }, client, proxy, close };
};

/** Returns by how much the allowance of a client shrinks that claims another address. 0 means: it gets the allowance of that address. */
const countedTogether = async (client: Client): Promise<number> => {
  const remaining = async (claimed: string): Promise<number> => {
    const headers = { 'x-forwarded-for': claimed, 'x-forwarded-host': 'pets.example.net', 'x-forwarded-proto': 'gopher' };
    const response = await client.send('GET', '/v1/pets', { headers });
    expect(response.status).toBe(200);
    return Number(response.headers['ratelimit-remaining']);
  };
  return (await remaining('203.0.113.1')) - (await remaining('203.0.113.2'));
};

const startModel = async (): Promise<ModelServer & { release(): void }> => {
  const waiting: (() => void)[] = [];
  const server = await openModelServer((response, call, nth) => void waiting.push(() => says('I do not know.')(response, call, nth)));
  return { ...server, release: () => waiting.splice(0).forEach((answer) => answer()) };
};

/** Proves docs/proxies.md: each proxy runs with its block of that page. */
for (const name of PROXIES)
  describeIfAvailable(`the service behind ${name}`, findProxy(name), () =>
    describe(`the service behind ${name}`, () => {
      let model: Awaited<ReturnType<typeof startModel>>;
      let proxied: Proxied;
      let token: string;
      beforeAll(async () => {
        model = await startModel();
        proxied = await openProxied(name, model.url);
        token = await proxied.store.token(SCOPES);
      });
      afterAll(async () => {
        await model.close();
        await proxied.close();
      });

      const addPet = (): Promise<HttpResponse<Pet>> => proxied.store.request<Pet>('POST', '/v1/pets', { token, body: CALM_PET });

      it('has its addresses, and changes a pet by the tag of a compressed response', async () => {
        const { headers, json: pet } = await addPet();
        const path = `/v1/pets/${pet.id}`;
        expect(headers.location).toBe(proxied.proxy.url + path);
        const readCompressed = (headers = {}) => fetch(proxied.proxy.url + path, { headers: { 'accept-encoding': 'gzip', ...headers } });
        const read = await readCompressed();
        expect([read.status, read.headers.get('content-encoding'), await read.json()]).toEqual([200, 'gzip', pet]);
        const ifMatch = read.headers.get('etag') ?? '';
        expect((await readCompressed({ 'if-none-match': ifMatch })).status).toBe(304);
        expect((await proxied.client.send('PUT', path, { token, ifMatch, body: { ...pet, name: 'Rex' } })).status).toBe(200);
        expectProblem(await proxied.client.send('DELETE', path, { token, ifMatch }), 412, 'precondition-failed');
        expect((await proxied.client.send('QUERY', '/v1/pets', { body: {} })).status).toBe(200);
        expect((await proxied.client.send('DELETE', path, { token })).status).toBe(204);
      });

      it('takes an image of almost 5 MiB, and shows it', async () => {
        const { json: pet } = await addPet();
        const photo = await noisyImage('jpeg', 2_400, 1_600);
        const file = Buffer.concat([photo, Buffer.alloc(Math.max(0, 5 * MEBIBYTE - 1_000 - photo.length))]);
        const { status, text, headers } = await proxied.client.send('POST', `/v1/pets/${pet.id}/images`, { token, ...fileUpload(file) });
        expect([status, text]).toEqual([201, expect.stringContaining('2400 × 1600')]);
        const shown = await proxied.client.send('GET', new URL(headers.location ?? '').pathname);
        expect((await sharp(shown.bytes).metadata()).width).toBe(2_400);
      });

      it('answers bodies that are too large with the problem of the service', async () => {
        const { json: pet } = await addPet();
        const large = await proxied.client.send('POST', '/v1/pets', {
          token,
          body: { ...PLAIN_PET, description: 'x'.repeat(2 * MEBIBYTE) },
        });
        expectProblem(large, 413, 'content-too-large');
        const image = fileUpload(Buffer.alloc(5.5 * MEBIBYTE));
        expectProblem(await proxied.client.send('POST', `/v1/pets/${pet.id}/images`, { token, ...image }), 413, 'content-too-large');
      });

      it('passes the stream of a chat on while it is written', async () => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        const outgoing = request(proxied.proxy.url + CHAT, { method: 'POST', headers }).end(JSON.stringify(ask('Any calm dogs?')));
        const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
        let text = '';
        incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        await eventually('the first event', () => text.includes('"role":"assistant"'));
        expect(text).not.toContain('[DONE]');
        model.release();
        await eventually('the end of the stream', () => text.endsWith('data: [DONE]\n\n'));
      });

      it('signs a person in', async () => {
        const { username } = await createPerson(proxied.store);
        const config = await discover(proxied.store, await addClient(proxied.store));
        expect((await authorize(proxied.store, config, username)).access_token).toEqual(expect.any(String));
      });

      it('takes headers of 15 KiB', async () => {
        const padding = Array.from({ length: 15 }, (_, at) => [`x-padding-${at}`, 'x'.repeat(1_000)] as const);
        expect((await proxied.client.send('GET', '/v1/pets', { headers: Object.fromEntries(padding) })).status).toBe(200);
        const large = await proxied.client.send('GET', '/v1/pets', { token: 'x'.repeat(12_288) });
        expectProblem(large, 401, 'unauthorized');
      });

      it('counts a client by its own address, whatever address it claims', async () =>
        expect(await countedTogether(proxied.client)).toBe(1));
    }),
  );

describeIfAvailable('nginx without the line of X-Forwarded-For', findProxy('nginx'), () =>
  describe('nginx without the line of X-Forwarded-For', () => {
    it('lets a client choose its own address, which is what the line prevents', async () => {
      const proxied = await openProxied('nginx', 'http://127.0.0.1:1', (block) => block.replace(/.*X-Forwarded-For.*\n/, ''));
      expect(await countedTogether(proxied.client)).toBe(0);
      await proxied.close();
    });
  }),
);
