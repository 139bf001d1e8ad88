import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { eventually } from '../eventually.js';
import { hostileUploads, sendUpload, type HostileUpload } from '../http/hostile-images.js';
import { BOUNDARY, fileUpload, multipart, plainImage } from '../http/image-files.js';
import { caller, type Call, type JsonResponse } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { startServiceProcess, tokenFor, type ServiceProcess } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';

const dataDir = newFolder();
const temporary = newFolder();
let service: ServiceProcess;
let token: string;
let call: Call;
let uploads: readonly HostileUpload[];
let petId: string;

const newPet = async (): Promise<string> =>
  String((await call('POST', '/v1/pets', { body: { name: 'Posey', species: 'CAT', ageMonths: 3 } })).json['id']);

beforeAll(async () => {
  mkdirSync(temporary, { recursive: true });
  service = await startServiceProcess({ dataDir, env: { LOG_LEVEL: 'warn', TMPDIR: temporary } });
  token = await tokenFor(dataDir);
  call = caller(service.url, token);
  uploads = await hostileUploads();
  petId = await newPet();
});
afterAll(async () => {
  await endPrograms();
  removeFolders();
});

const send = (upload: HostileUpload): Promise<JsonResponse> => sendUpload(call, petId, upload);

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
const photosOf = async (pet: string): Promise<readonly string[]> =>
  ((await call('GET', `/v1/pets/${pet}`)).json['photos'] ?? []) as string[];

/** Proves contract 37.1, contract 37.2 and contract 37.3. */
describe('hostile uploads', () => {
  it('are more than forty', () => expect(uploads.length).toBeGreaterThan(40));

  it('are rejected, or stored as nothing but an image', async () => {
    const unexpected: unknown[] = [];
    for (const upload of uploads) {
      const response = await send(upload);
      if (!upload.statuses.includes(response.status)) unexpected.push([upload.name, response.status, response.text.slice(0, 300)]);
      if (response.status !== 201) continue;
      const path = new URL(response.headers.location ?? '').pathname;
      const { bytes, headers } = await call('GET', path);
      const { format, exif, icc, xmp, iptc, pages } = await sharp(bytes).metadata();
      const left = { exif, icc, xmp, iptc, pages };
      if (`image/${format}` !== headers['content-type'] || JSON.stringify(left) !== '{}') unexpected.push([upload.name, format, left]);
      for (const canary of upload.canaries ?? []) if (bytes.includes(canary)) unexpected.push([upload.name, canary]);
      await call('DELETE', path);
    }
    expect(unexpected).toEqual([]);
  });

  it('leave no file and no photo, and the service answers', async () => {
    await eventually('all images to be deleted', () => filesIn(join(dataDir, 'images')).length === 0);
    expect([filesIn(temporary), await photosOf(petId)]).toEqual([[], []]);
    expect((await call('GET', '/health/ready')).status).toBe(200);
  });

  it('that end in the middle of their body leave no file and no photo', async () => {
    const pet = await newPet();
    const { raw, headers } = fileUpload(await plainImage('jpeg'));
    const { port } = new URL(service.url);
    const head = `POST /v1/pets/${pet}/images HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${headers['content-type']}\r\nContent-Length: ${raw.length}\r\n\r\n`;
    for (let round = 0; round < 20; round++) {
      const socket = connect(Number(port), '127.0.0.1');
      await once(socket, 'connect');
      socket.write(Buffer.concat([Buffer.from(head), raw.subarray(0, (raw.length * round) / 20)]));
      socket.destroy();
    }
    expect([await photosOf(pet), filesIn(temporary)]).toEqual([[], []]);
  });
});

/** Proves contract 37.1 and contract 37.7: the same file in a differently divided body is the same upload. */
describe('an upload', () => {
  /** Returns a body that begins with a preamble of `by` characters, which moves all delimiters. */
  const shifted = (parts: Parameters<typeof multipart>[0], by: number): Buffer =>
    Buffer.concat([Buffer.from(by === 0 ? '' : `${'x'.repeat(by)}\r\n`), multipart(parts)]);

  it('is read alike wherever the parser divides its delimiters', async () => {
    const pet = await newPet();
    const jpeg = await plainImage('jpeg');
    // The parser gets pieces of 65,536 bytes. The delimiter after the file is near the end of the first piece.
    const start = multipart([{ name: 'file', filename: 'a', content: '' }]).indexOf('\r\n\r\n') + 4;
    const content = Buffer.concat([jpeg, Buffer.alloc(65_536 - start - jpeg.length - 60, '-')]);
    const parts = [
      { name: 'file', filename: 'a', content },
      { name: 'additionalMetadata', content: 'canary' },
    ];
    const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
    const idempotencyKey = randomUUID();
    const results: unknown[] = [];
    for (let by = 0; by <= 150; by++) {
      const response = await call('POST', `/v1/pets/${pet}/images`, { raw: shifted(parts, by), headers, idempotencyKey });
      results.push([response.status, response.headers['idempotent-replayed']]);
    }
    expect(results).toEqual([[201, undefined], ...Array.from({ length: 150 }, () => [201, 'true'])]);
  });

  it('is read alike wherever the network divides its delimiters', async () => {
    const pet = await newPet();
    const parts = [
      { name: 'file', filename: 'a', content: await plainImage('jpeg', 16, 16) },
      { name: 'additionalMetadata', content: 'canary' },
    ];
    const body = multipart(parts);
    const end = body.lastIndexOf(`\r\n--${BOUNDARY}\r\n`);
    const head = `POST /v1/pets/${pet}/images HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nIdempotency-Key: k\r\nContent-Type: multipart/form-data; boundary=${BOUNDARY}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
    const sized = (part: Buffer): Buffer => Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]);
    const statuses: string[] = [];
    for (let at = end - 1; at <= end + BOUNDARY.length + 8; at++) {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
      await once(socket, 'connect');
      socket.setNoDelay(true);
      let answer = '';
      socket.on('data', (data: Buffer) => (answer += data.toString()));
      socket.write(Buffer.concat([Buffer.from(head), sized(body.subarray(0, at))]));
      socket.write(Buffer.concat([sized(body.subarray(at)), Buffer.from('0\r\n\r\n')]));
      await once(socket, 'close');
      statuses.push(`${answer.slice(9, 12)} ${/idempotent-replayed: true/i.test(answer)}`);
    }
    expect(statuses).toEqual(['201 false', ...Array.from({ length: statuses.length - 1 }, () => '201 true')]);
  });
});
