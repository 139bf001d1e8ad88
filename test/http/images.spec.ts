import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { eventually } from '../eventually.js';
import type { HttpResponse, RequestOptions } from '../servers/client.js';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { fileUpload, noisyImage, plainImage, taggedImage, uploadOf } from './image-files.js';
import { expectProblem } from './problems.js';
import { openSharedPool, openShop, PLAIN_PET, type Pet, type Shop } from './shop.js';

type ApiResponse = { readonly code: number; readonly type: string; readonly message: string };

let service: TestPetstore;
let shop: Shop;
let jpeg: Buffer;
beforeAll(async () => {
  service = await startTestPetstore();
  shop = await openShop(service);
  jpeg = await plainImage('jpeg');
});
afterAll(() => service.stop());

const upload = (petId: string, options: RequestOptions, by = shop): Promise<HttpResponse<ApiResponse>> =>
  by.requestAsStaff<ApiResponse>('POST', `/v1/pets/${petId}/images`, options);
/** Uploads an image and returns its path. */
const stored = async (petId: string, file: Buffer, metadata?: string): Promise<string> => {
  const { status, headers, text } = await upload(petId, fileUpload(file, metadata));
  if (status !== 201) throw new Error(`${status}: ${text}`);
  return new URL(headers.location ?? '').pathname;
};
const photosOf = async (petId: string): Promise<readonly string[] | undefined> =>
  (await shop.request<Pet>('GET', `/v1/pets/${petId}`)).json.photos;

/** Proves rows of contract 42.2, 42.7, 42.11 and 42.21. */
describe('uploading an image', () => {
  it('stores it, and says what was stored (contract 37.1, contract 37.3)', async () => {
    const pet = await shop.listPet();
    const { status, json, headers } = await upload(pet.id, fileUpload(jpeg, 'taken in the garden'));
    expect([status, json.code, json.type]).toEqual([201, 201, 'image/jpeg']);
    expect(json.message).toContain('800 × 600 pixels');
    expect(headers.location).toMatch(new RegExp(`^${service.url}/v1/pets/${pet.id}/images/[0-9a-f-]{36}$`));
    expect(headers.etag).toMatch(/^"[\w-]{43}"$/);
    expect(await photosOf(pet.id)).toEqual([headers.location]);
  });

  it.each(['jpeg', 'png', 'webp'] as const)('accepts %s by its content, whatever its name and type say (contract 37.2)', async (type) => {
    const pet = await shop.listPet();
    const { json, headers } = await upload(
      pet.id,
      uploadOf([{ name: 'file', filename: 'photo.exe', type: 'text/html', content: await plainImage(type) }]),
    );
    expect(json.type).toBe(`image/${type}`);
    const read = await shop.request('GET', new URL(headers.location ?? '').pathname);
    expect([read.headers['content-type'], (await sharp(read.bytes).metadata()).format]).toEqual([`image/${type}`, type]);
  });

  it('applies the orientation and removes the metadata (contract 37.3)', async () => {
    const pet = await shop.listPet();
    const file = await taggedImage();
    expect(file.includes('CanaryCam')).toBe(true);
    const { bytes } = await shop.request('GET', await stored(pet.id, file));
    const { width, height, exif, icc, xmp, orientation } = await sharp(bytes).metadata();
    expect({ width, height, exif, icc, xmp, orientation }).toEqual({ width: 600, height: 800 });
    for (const canary of ['CanaryCam', 'canary-description', 'Exif']) expect(bytes.includes(canary)).toBe(false);
  });

  it.each<[string, () => RequestOptions | Promise<RequestOptions>, number, string, Record<string, string>?]>([
    ['no file', () => uploadOf([{ name: 'additionalMetadata', content: 'x' }]), 400, 'invalid-request', { file: 'required' }],
    ['an empty file field', () => fileUpload(Buffer.alloc(0)), 400, 'invalid-request', { file: 'required' }],
    [
      'two files',
      () =>
        uploadOf([
          { name: 'file', content: jpeg },
          { name: 'file', content: jpeg },
        ]),
      400,
      'invalid-request',
      { file: 'repeated' },
    ],
    [
      'an unknown part',
      () =>
        uploadOf([
          { name: 'file', content: jpeg },
          { name: 'caption', content: 'x' },
        ]),
      400,
      'invalid-request',
      { caption: 'unknown_property' },
    ],
    [
      'a text of 2,001 characters',
      () => fileUpload(jpeg, '🐈'.repeat(2_001)),
      422,
      'validation-failed',
      { additionalMetadata: 'too_long' },
    ],
    ['a file of no image type', () => fileUpload(Buffer.from('GIF89a')), 415, 'unsupported-media-type'],
    ['a JSON body', () => ({ body: {} }), 415, 'unsupported-media-type'],
    ['no body', () => ({}), 400, 'malformed-request'],
    ['a file above 5 MiB', () => fileUpload(Buffer.concat([jpeg, Buffer.alloc(5 << 20)])), 413, 'content-too-large'],
    [
      'more than 40 million pixels',
      async () => fileUpload(await plainImage('png', 8_000, 5_001)),
      422,
      'validation-failed',
      { file: 'too_big' },
    ],
    [
      'half an image',
      async () => fileUpload((await noisyImage('jpeg', 200, 200)).subarray(0, 3_000)),
      422,
      'validation-failed',
      { file: 'INVALID_FORMAT' },
    ],
  ])('rejects %s (contract 37.1, contract 37.2)', async (_, options, status, kind, codes = {}) => {
    const pet = await shop.listPet();
    expectProblem(await upload(pet.id, await options()), status, kind, codes);
    expect(await photosOf(pet.id)).toBeUndefined();
  });

  it('accepts a JPEG that lacks only its end marker (contract 37.2)', async () => {
    const pet = await shop.listPet();
    const { status, json } = await upload(pet.id, fileUpload((await noisyImage('jpeg', 200, 100)).subarray(0, -2)));
    expect([status, json.message]).toEqual([201, expect.stringContaining('200 × 100 pixels')]);
  });

  it('accepts a text of 2,000 characters, and a file of 40 million pixels', async () => {
    const pet = await shop.listPet();
    expect((await upload(pet.id, fileUpload(await plainImage('png', 8_000, 5_000), '🐈'.repeat(2_000)))).status).toBe(201);
  });

  it('is 404 for an unknown pet, and for a pet of another tenant', async () => {
    const elsewhere = await openShop(service);
    expectProblem(await upload(randomUUID(), fileUpload(jpeg)), 404, 'not-found');
    expectProblem(await upload((await elsewhere.listPet()).id, fileUpload(jpeg)), 404, 'not-found');
  });

  it('is 409 if the pet already has 100 links and images (contract 37.1)', async () => {
    const links = Array.from({ length: 100 }, (_, index) => `https://example.com/${index}.jpg`);
    const pet = await shop.listPet({ photos: links });
    expectProblem(await upload(pet.id, fileUpload(jpeg)), 409, 'conflict', {});
  });

  it('is replayed with the same Idempotency-Key (contract 37.7)', async () => {
    const pet = await shop.listPet();
    const idempotencyKey = randomUUID();
    const first = await upload(pet.id, { ...fileUpload(jpeg, 'a'), idempotencyKey });
    const again = await upload(pet.id, { ...fileUpload(jpeg, 'a'), idempotencyKey });
    expect([again.status, again.json, again.headers.location, again.headers.etag]).toEqual([
      201,
      first.json,
      first.headers.location,
      first.headers.etag,
    ]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(await photosOf(pet.id)).toHaveLength(1);
    expectProblem(await upload(pet.id, { ...fileUpload(jpeg, 'b'), idempotencyKey }), 422, 'idempotency-key-reused', {
      'Idempotency-Key': 'mismatch',
    });
    const other = await shop.listPet();
    const elsewhere = await upload(other.id, { ...fileUpload(jpeg, 'a'), idempotencyKey });
    expect([elsewhere.status, elsewhere.headers['idempotent-replayed']]).toEqual([201, undefined]);
  });

  it('stores one image for concurrent requests with the same Idempotency-Key', async () => {
    const pet = await shop.listPet();
    const idempotencyKey = randomUUID();
    const all = await Promise.all(Array.from({ length: 5 }, () => upload(pet.id, { ...fileUpload(jpeg), idempotencyKey })));
    expect(all.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(all.map(({ headers }) => headers.location)).size).toBe(1);
    expect((await shop.request('GET', new URL(all[0]?.headers.location ?? '').pathname)).status).toBe(200);
  });
});

describe('the photos of a pet', () => {
  it('are its links and then its images, and PUT changes only the links (contract 37.4)', async () => {
    const pet = await shop.listPet({ photos: ['https://example.com/a.jpg'] });
    const path = await stored(pet.id, jpeg);
    const image = service.url + path;
    const { json, headers } = await shop.request<Pet>('GET', `/v1/pets/${pet.id}`);
    expect(json.photos).toEqual(['https://example.com/a.jpg', image]);
    const same = await shop.requestAsStaff<Pet>('PUT', `/v1/pets/${pet.id}`, { body: json });
    expect([same.status, same.headers.etag, same.json.photos]).toEqual([200, headers.etag, json.photos]);
    const changed = await shop.requestAsStaff<Pet>('PUT', `/v1/pets/${pet.id}`, {
      body: { ...json, photos: ['https://example.com/b.jpg'] },
    });
    expect(changed.json.photos).toEqual(['https://example.com/b.jpg', image]);
    const { photos: _, ...without } = json;
    expect((await shop.requestAsStaff<Pet>('PUT', `/v1/pets/${pet.id}`, { body: without })).json.photos).toEqual([image]);
  });

  it('are shown in lists and searches too', async () => {
    const own = await openShop(service);
    const pet = await own.listPet();
    await upload(pet.id, fileUpload(jpeg), own);
    const list = await own.request<{ data: readonly Pet[] }>('GET', '/v1/pets');
    const search = await own.request<{ data: readonly Pet[] }>('POST', '/v1/pets/search', { body: {} });
    for (const { json } of [list, search])
      expect(json.data[0]?.photos?.[0]).toMatch(new RegExp(`^${service.url}/v1/pets/${pet.id}/images/`));
  });

  it('do not change a description that looks like a reference to an image', async () => {
    const description = `","image:/v1/pets/${randomUUID()}/images/${randomUUID()}#jpeg.abc"`;
    const pet = await shop.listPet({ description });
    await stored(pet.id, jpeg);
    expect((await shop.request<Pet>('GET', `/v1/pets/${pet.id}`)).json.description).toBe(description);
  });
});

describe('reading an image', () => {
  it('needs no token, and may be cached for good (contract 37.6)', async () => {
    const pet = await shop.listPet();
    const path = await stored(pet.id, jpeg);
    const { status, headers, bytes } = await shop.request('GET', path);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(bytes.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      vary: 'Accept, Authorization, X-Tenant-ID',
    });
    const unchanged = await shop.request('GET', path, { ifNoneMatch: headers.etag ?? '' });
    expect([unchanged.status, unchanged.bytes.length]).toEqual([304, 0]);
    const head = await shop.request('HEAD', path);
    expect([head.status, head.headers['content-length'], head.headers.etag, head.bytes.length]).toEqual([
      200,
      String(bytes.length),
      headers.etag,
      0,
    ]);
  });

  it('returns ranges of its bytes (contract 37.6)', async () => {
    const pet = await shop.listPet();
    const path = await stored(pet.id, await noisyImage('png', 300, 300));
    const { bytes, headers } = await shop.request('GET', path);
    const range = (value: string, more: Record<string, string> = {}) => shop.request('GET', path, { headers: { range: value, ...more } });
    const first = await range('bytes=0-99');
    expect([first.status, first.headers['content-range']]).toEqual([206, `bytes 0-99/${bytes.length}`]);
    const rest = await range('bytes=100-', { 'if-range': headers.etag ?? '' });
    expect(Buffer.concat([first.bytes, rest.bytes]).equals(bytes)).toBe(true);
    expect((await range('bytes=-5')).bytes.equals(bytes.subarray(-5))).toBe(true);
    const none = await range(`bytes=${bytes.length}-`);
    expectProblem(none, 416, 'range-not-satisfiable');
    expect(none.headers['content-range']).toBe(`bytes */${bytes.length}`);
    for (const all of [await range('bytes=0-1,3-4'), await range('bytes=0-9', { 'if-range': '"other"' })])
      expect([all.status, all.bytes.length]).toEqual([200, bytes.length]);
  });

  it.each([160, 320, 640, 1280])('returns a width of %d, and never enlarges (contract 37.5)', async (width) => {
    const pet = await shop.listPet();
    const path = await stored(pet.id, jpeg);
    const { bytes } = await shop.request('GET', `${path}?width=${width}`);
    expect((await sharp(bytes).metadata()).width).toBe(Math.min(width, 800));
  });

  it.each(['100', '0', '-160', '1e3', '160,320'])('rejects a width of %s with 400 (contract 37.5)', async (width) => {
    const pet = await shop.listPet();
    const response = await shop.request('GET', `${await stored(pet.id, jpeg)}?width=${width}`);
    expect(response.status).toBe(400);
  });

  it('returns WebP only if Accept names it (contract 37.5)', async () => {
    const pet = await shop.listPet();
    const path = await stored(pet.id, jpeg);
    const typeFor = async (accept: string) => (await shop.request('GET', path, { headers: { accept } })).headers['content-type'];
    expect(await typeFor('image/avif,image/webp,*/*;q=0.8')).toBe('image/webp');
    expect(await typeFor('*/*')).toBe('image/jpeg');
    expect(await typeFor('image/*')).toBe('image/jpeg');
    expect(await typeFor('image/webp;q=0, */*')).toBe('image/jpeg');
    const small = await shop.request('GET', `${path}?width=160`, { headers: { accept: 'image/webp', range: 'bytes=0-3' } });
    expect([small.status, small.text]).toEqual([206, 'RIFF']);
    const tags = await Promise.all(
      ['', '?width=160', '?width=320'].map(async (query) => (await shop.request('GET', path + query)).headers.etag),
    );
    expect(new Set(tags).size).toBe(3);
  });

  it('needs no X-Tenant-ID, whatever the tenant of its pet, and is 404 with the id of another tenant (contract 37.6)', async () => {
    const pet = await shop.listPet();
    const path = await stored(pet.id, jpeg);
    const pool = await openSharedPool(service);
    expect((await pool.request('GET', path)).status).toBe(200);
    expectProblem(await service.request('GET', path, { tenant: randomUUID() }), 404, 'not-found');
    const bound = await service.token('read:pets', { subject: 'ann', tenant: randomUUID() });
    expectProblem(await service.request('GET', path, { token: bound }), 404, 'not-found');
    expectProblem(await shop.request('GET', `/v1/pets/${pet.id}/images/${randomUUID()}`), 404, 'not-found');
  });
});

describe('deleting an image', () => {
  it('removes the image from the photos at once, and its bytes later (contract 37.9)', async () => {
    const pet = await shop.listPet();
    const [one, other] = [await stored(pet.id, jpeg), await stored(pet.id, jpeg)];
    expect((await shop.requestAsStaff('DELETE', one)).status).toBe(204);
    expect(await photosOf(pet.id)).toEqual([service.url + other]);
    expectProblem(await shop.request('GET', one), 404, 'not-found');
    expectProblem(await shop.requestAsStaff('DELETE', one), 404, 'not-found');
    expect((await shop.request('GET', other)).status).toBe(200);
  });

  it('follows the deletion of its pet', async () => {
    const pet = await shop.listPet();
    const path = await stored(pet.id, jpeg);
    expect((await shop.requestAsStaff('DELETE', `/v1/pets/${pet.id}`)).status).toBe(204);
    await eventually('the image to be gone', async () => ((await shop.request('GET', path)).status === 404 ? true : null));
  });

  it('needs a token with write:pets, and the tenant of the pet', async () => {
    const pet = await shop.listPet();
    const path = await stored(pet.id, jpeg);
    expectProblem(await shop.request('DELETE', path), 401, 'unauthorized');
    const elsewhere = await openShop(service);
    expectProblem(await elsewhere.requestAsStaff('DELETE', path), 404, 'not-found');
    expect((await shop.request('GET', path)).status).toBe(200);
  });

  it('removes the field photos of a pet that has no other photo', async () => {
    const pet = await shop.listPet(PLAIN_PET);
    await shop.requestAsStaff('DELETE', await stored(pet.id, jpeg));
    expect(Object.keys((await shop.request<Pet>('GET', `/v1/pets/${pet.id}`)).json)).not.toContain('photos');
  });
});
