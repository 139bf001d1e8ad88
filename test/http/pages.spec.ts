import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient, type Client } from '../servers/client.js';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';

let service: TestPetstore;
let client: Client;
beforeAll(async () => {
  service = await startTestPetstore();
  client = createClient(service.url);
});
afterAll(async () => {
  client.close();
  await service.stop();
});

const page = (path: string) => client.send('GET', path, { headers: { accept: 'text/html' } });

/** Returns the addresses of scripts, styles and images that a page loads. */
const loadedBy = (html: string) =>
  [...html.matchAll(/<(?:script|link|img|iframe)[^>]*?(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? '');

/** Proves contract 25.1. */
describe('health', () => {
  it.each(['/health/live', '/health/ready'])('%s is ok without a token, and not cached', async (path) => {
    const { status, headers, json } = await service.request<{ readonly status: string }>('GET', path);
    expect([status, json.status, headers['cache-control']]).toEqual([200, 'ok', 'no-store']);
    expect((await service.request('HEAD', path)).status).toBe(200);
  });
});

/** Proves contract 1.4 and contract 2.9. */
describe('the HTML pages', () => {
  it.each(['/', '/docs', '/docs/classic', '/errors'])('%s loads nothing from other hosts', async (path) => {
    const { status, headers, text } = await page(path);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toMatch(/default-src 'none'/);
    expect(headers['content-security-policy']).not.toMatch(/https?:|\*|unsafe-eval/);
    const loaded = loadedBy(text);
    expect(loaded.filter((address) => !address.startsWith('/') || address.startsWith('//'))).toEqual([]);
    for (const address of loaded) expect([address, (await page(address)).status]).toEqual([address, 200]);
  });

  it('contain no inline scripts', async () => {
    for (const path of ['/', '/docs', '/errors', '/errors/conflict']) {
      const { text } = await page(path);
      expect(text).not.toMatch(/<script(?![^>]*src=)|\son\w+=|javascript:/i);
    }
  });

  it('have scripts and styles that load nothing from other hosts', async () => {
    const { text } = await page('/docs');
    expect(text).toContain('data-document="/docs/reference.json"');
    const files = await Promise.all(
      loadedBy(text)
        .filter((address) => /\.(css|m?js)$/.test(address))
        .map(async (address) => [address, (await page(address)).text] as const),
    );
    expect(files.length).toBeGreaterThan(2);
    for (const [address, content] of files) {
      const foreign = address.endsWith('.css')
        ? [...content.matchAll(/url\(\s*["']?(https?:)?\/\/[^)]*\)|@import[^;]*https?:[^;]*/g)]
        : [...content.matchAll(/(?:importScripts|import)\(\s*["']https?:[^"']*/g)];
      expect([address, foreign.map(([found]) => found)]).toEqual([address, []]);
    }
    const start = files.find(([address]) => address.endsWith('reference.mjs'))?.[1] ?? '';
    expect(start).toMatch(/validatorUrl:\s*null/);
  });

  it('return 404 at unknown paths', async () => {
    for (const path of ['/docs/none.js', '/docs/..%2f..%2fpackage.json', '/docs/%2e%2e/package.json', '/errors/none'])
      expect([path, (await service.request('GET', path)).status]).toEqual([path, 404]);
  });

  it('are listed for programs at /', async () => {
    const { status, json } = await service.request<{ readonly links: Readonly<Record<string, string>> }>('GET', '/');
    expect(status).toBe(200);
    for (const path of Object.keys(json.links)) expect([path, (await service.request('GET', path)).status]).toEqual([path, 200]);
  });
});

/** Proves contract 5.6, contract 25.3 and contract 28.1. */
describe('/openapi.json', () => {
  type Document = {
    readonly openapi: string;
    readonly info: { readonly version: string };
    readonly servers: readonly { readonly url: string }[];
    readonly paths: Readonly<
      Record<string, Readonly<Record<string, { readonly operationId: string; readonly security?: readonly object[] }>>>
    >;
    readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
  const document = async () => (await service.request<Document>('GET', '/openapi.json')).json;

  it('has the OpenAPI version 3.2.0, the interface version 1.0.0 and an entity tag', async () => {
    const { headers } = await service.request('GET', '/openapi.json');
    const { openapi, info } = await document();
    expect([openapi, info.version]).toEqual(['3.2.0', '1.0.0']);
    expect((await service.request('GET', '/openapi.json', { ifNoneMatch: headers.etag ?? '' })).status).toBe(304);
  });

  it('has the operations under the names of the contract', async () => {
    const { paths } = await document();
    const named = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId }]) => [operationId, `${method} ${path}`] as const),
    );
    expect(Object.fromEntries(named)).toMatchObject({
      getPet: 'get /v1/pets/{id}',
      updatePet: 'put /v1/pets/{id}',
      deletePet: 'delete /v1/pets/{id}',
      createPet: 'post /v1/pets',
      listPets: 'get /v1/pets',
      searchPets: 'query /v1/pets',
      createOrder: 'post /v1/orders',
      getOrder: 'get /v1/orders/{id}',
      deleteOrder: 'delete /v1/orders/{id}',
      createOrderPayment: 'post /v1/orders/{id}/payment',
      getInventory: 'get /v1/inventories',
    });
  });

  it('has only references into itself', async () => {
    const { text } = await service.request('GET', '/openapi.json');
    const refs = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref ?? '');
    expect(refs.length).toBeGreaterThan(0);
    expect(refs.filter((ref) => !ref.startsWith('#/'))).toEqual([]);
  });
});
