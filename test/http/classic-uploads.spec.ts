import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RequestOptions } from '../servers/client.js';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { fileUpload, PIXEL, plainImage } from './image-files.js';
import { openShop, type Shop } from './shop.js';

let service: TestPetstore;
let shop: Shop;
beforeAll(async () => {
  service = await startTestPetstore();
  shop = await openShop(service, randomUUID());
});
afterAll(() => service.stop());

/** The options of a request whose body is a file alone. */
const alone = (raw: Uint8Array, headers: Readonly<Record<string, string>> = {}): RequestOptions => ({
  raw,
  headers: { 'content-type': 'application/octet-stream', ...headers },
});
const addPet = async (): Promise<number> =>
  (await shop.requestAsStaff<{ id: number }>('POST', '/api/v3/pet', { body: { name: 'Luna', photoUrls: [] } })).json.id;
const upload = (id: number | string, options: RequestOptions, query = '') =>
  shop.requestAsStaff<{ code: number; type: string; message: string }>('POST', `/api/v3/pet/${id}/uploadImage${query}`, options);
const photosOf = async (id: number) => (await shop.request<{ photoUrls: readonly string[] }>('GET', `/api/v3/pet/${id}`)).json.photoUrls;
/** Returns the texts of the images of a pet's events, as auditors see them. */
const textsOf = async (photo: string): Promise<readonly unknown[]> => {
  const [petId] = /[\w-]{36}/.exec(photo) ?? [];
  const token = await service.token('audit:read ops', { tenant: shop.tenant ?? '' });
  const { json } = await service.request<{ data: readonly { data: { additionalMetadata?: unknown } }[] }>(
    'GET',
    `/v1/audit/streams/pet-${petId}`,
    { token },
  );
  return json.data.flatMap(({ data }) => data.additionalMetadata ?? []);
};

/** Proves contract 39.4. */
describe('POST /api/v3/pet/{petId}/uploadImage', () => {
  it('stores the file of a form, and a file that is sent alone, as the last photos of the pet', async () => {
    const id = await addPet();
    const form = await upload(id, fileUpload(await plainImage('jpeg'), 'In the garden'));
    expect([form.status, form.json]).toEqual([200, { code: 200, type: 'image/jpeg', message: expect.stringContaining('800 × 600') }]);
    const file = await upload(id, alone(PIXEL), '?additionalMetadata=By%20the%20window');
    expect([file.status, file.json]).toEqual([200, { code: 200, type: 'image/png', message: expect.stringContaining('1 × 1') }]);
    const photos = await photosOf(id);
    const images = await Promise.all(photos.map((photo) => shop.request('GET', new URL(photo).pathname)));
    expect(images.map(({ status, headers }) => [status, headers['content-type']])).toEqual([
      [200, 'image/jpeg'],
      [200, 'image/png'],
    ]);
    expect(await textsOf(photos[0] ?? '')).toEqual(['In the garden', 'By the window']);
  });

  it('prefers the text of the form to that of the query', async () => {
    const id = await addPet();
    await upload(id, fileUpload(PIXEL, 'in the form'), '?additionalMetadata=in%20the%20query');
    expect(await textsOf((await photosOf(id))[0] ?? '')).toEqual(['in the form']);
  });

  it('stores the image once for a repeated Idempotency-Key', async () => {
    const id = await addPet();
    const options = { ...alone(PIXEL), idempotencyKey: randomUUID() };
    const [first, repeated] = [await upload(id, options), await upload(id, options)];
    expect([repeated.json, repeated.headers['idempotent-replayed']]).toEqual([first.json, 'true']);
    expect(await photosOf(id)).toHaveLength(1);
    expect((await upload(id, { ...alone(await plainImage('png')), idempotencyKey: options.idempotencyKey })).status).toBe(422);
  });

  it('is 409 for a pet that has 100 photos', async () => {
    const body = { name: 'Luna', photoUrls: Array.from({ length: 100 }, (_, at) => `photo ${at}`) };
    const { id } = (await shop.requestAsStaff<{ id: number }>('POST', '/api/v3/pet', { body })).json;
    expect((await upload(id, alone(PIXEL))).json).toMatchObject({ code: 409, type: 'conflict' });
  });

  it('is 404 for an unknown pet, and 401 or 403 without write:pets', async () => {
    const id = await addPet();
    expect((await upload(999_999, alone(PIXEL))).json).toMatchObject({ code: 404, type: 'not-found' });
    const path = `/api/v3/pet/${id}/uploadImage`;
    expect((await shop.request('POST', path, alone(PIXEL))).status).toBe(401);
    expect((await shop.request('POST', path, { ...alone(PIXEL), token: await service.token('read:pets') })).status).toBe(403);
  });

  it.each<[number, string, () => RequestOptions, string]>([
    [415, 'a file that is no image', () => alone(Buffer.from('<svg/>')), ''],
    [413, 'a file above 5 MiB', () => alone(Buffer.alloc(5 * 1_048_576 + 1)), ''],
    [413, 'a body of 6 MiB', () => alone(Buffer.alloc(6 * 1_048_576)), ''],
    [400, 'an empty file', () => alone(Buffer.alloc(0)), ''],
    [415, 'a compressed file', () => alone(PIXEL, { 'content-encoding': 'gzip' }), ''],
    [415, 'JSON', () => ({ body: {} }), ''],
    [422, 'a text of 2,001 characters', () => alone(PIXEL), `?additionalMetadata=${'x'.repeat(2_001)}`],
    [400, 'an unknown parameter', () => alone(PIXEL), '?text=x'],
    [400, 'a form without a file', () => fileUploadWithoutFile(), ''],
  ])('is %i for %s', async (status, _, options, query) => {
    const id = await addPet();
    const response = await upload(id, options(), query);
    expect([response.status, response.json]).toEqual([status, { code: status, type: expect.any(String), message: expect.any(String) }]);
    expect(await photosOf(id)).toEqual([]);
  });
});

/** Proves contract 37.1: only the classic variant takes a file alone. */
describe('a file that is sent alone to another operation', () => {
  it('is 415', async () => {
    const id = (await shop.requestAsStaff<{ id: string }>('POST', '/v1/pets', { body: { name: 'Posey', species: 'CAT', ageMonths: 3 } }))
      .json.id;
    expect((await shop.requestAsStaff('POST', `/v1/pets/${id}/images`, alone(PIXEL))).status).toBe(415);
    expect((await shop.requestAsStaff('POST', '/v1/pets', alone(PIXEL))).status).toBe(415);
  });
});

const fileUploadWithoutFile = (): RequestOptions => ({
  raw: '--x\r\nContent-Disposition: form-data; name="additionalMetadata"\r\n\r\ntext\r\n--x--\r\n',
  headers: { 'content-type': 'multipart/form-data; boundary=x' },
});
