import { request } from 'node:http';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BeginExport } from '../../../libs/application/audit/export.commands.js';
import { OpenExport } from '../../../libs/application/audit/export.queries.js';
import { ExportFailed } from '../../../libs/audit/export/export-builder.js';
import { rejected } from '../../../libs/eventsourcing/decider.js';
import { as, faultsIn, kindOf, runningApi, TENANT, type RunningApi } from '../testing/running-api.fixtures.js';

const SCOPE = { from: null, to: null, tenant: null, stream: null };
const BEGUN = { id: 'an-export', ...SCOPE, events: 2, cover: { index: 1, size: 2, time: '2026-01-02T03:04:05.678Z' } };
const MANIFEST = '{"manifest":{}}\n';

let api: RunningApi;
let url: string;
beforeAll(async () => {
  api = await runningApi({ RATE_LIMIT: 'off' });
  await api.app.listen(0, '127.0.0.1');
  url = await api.app.getUrl();
});
afterAll(() => api.app.close());

/** The parts of an export that a test sends one after another. `ended` is the number of exports whose parts have ended. */
let ended: number;
let release: () => void;
beforeEach(() => {
  ended = 0;
  const released = new Promise<void>((resolve) => (release = resolve));
  api.application.setHandler(BeginExport, () => BEGUN);
  api.application.setHandler(OpenExport, () => ({ scope: SCOPE, cover: 1, parts: parts(async () => released) }));
});

async function* parts(pause: () => Promise<void>): AsyncGenerator<string> {
  try {
    yield '{"number":1}\n';
    await pause();
    // A page without an event of the scope.
    yield '';
    yield MANIFEST;
  } finally {
    ended++;
  }
}

const begin = (payload: object, name = 'auditor') => api.inject({ method: 'POST', url: '/v1/audit/exports', headers: as(name), payload });

type Read = {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  /** Resolves with the body, and whether it ended as its sender wanted. */
  readonly body: Promise<{ readonly text: string; readonly isComplete: boolean }>;
  readonly leave: () => void;
};

const read = (method = 'GET', name = 'auditor'): Promise<Read> =>
  new Promise((resolve, reject) => {
    const outgoing = request(`${url}/v1/audit/exports/an-export`, { method, headers: as(name), agent: false }, (incoming) => {
      let text = '';
      incoming.on('data', (chunk: Buffer) => (text += chunk.toString()));
      incoming.on('error', () => undefined);
      const body = new Promise<{ text: string; isComplete: boolean }>((end) =>
        incoming.on('close', () => end({ text, isComplete: incoming.complete })),
      );
      resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body, leave: () => outgoing.destroy() });
    });
    outgoing.on('error', reject).end();
  });

const until = async (isDone: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isDone())) await new Promise((resolve) => setImmediate(resolve));
};

describe('the begin of an export (contract 35.17)', () => {
  it('has its scope in UTC and lower case', async () => {
    const { statusCode, headers, json } = await begin({ from: '2026-01-01T01:00:00+01:00', tenant: TENANT.toUpperCase() });
    expect([statusCode, headers['cache-control'], json()]).toEqual([200, 'no-store', BEGUN]);
    expect(api.application.last(BeginExport).scope).toEqual({ ...SCOPE, from: '2026-01-01T00:00:00.000Z', tenant: TENANT });
    await begin({ tenant: 'shared', to: '2026-01-01T00:00:00Z' });
    expect(api.application.last(BeginExport).scope).toEqual({ ...SCOPE, to: '2026-01-01T00:00:00.000Z', tenant: 'shared' });
  });

  it.each([
    [{ from: 'yesterday' }, ['from INVALID_FORMAT']],
    [{ from: '2026-01-02T00:00:00Z', to: '2026-01-02T00:00:00Z' }, ['to too_small']],
    [{ tenant: 'acme' }, ['tenant INVALID_FORMAT']],
    [{ tenant: 'shared', stream: 'pet-1' }, ['stream mismatch']],
    [{ stream: '' }, ['stream too_short']],
  ])('is rejected with %j', async (body, faults) => {
    const response = await begin(body);
    expect([response.statusCode, faultsIn(response)]).toEqual([422, faults]);
  });

  it('is 422 for an end in the future, and 404 without events', async () => {
    api.application.setHandler(BeginExport, () => rejected('export_in_future'));
    const response = await begin({ to: '2999-01-01T00:00:00Z' });
    expect([response.statusCode, faultsIn(response)]).toEqual([422, ['to too_big']]);
    api.application.setHandler(BeginExport, () => rejected('nothing_to_export'));
    expect((await begin({})).statusCode).toBe(404);
  });

  it('needs audit:read and ops', async () => {
    for (const name of ['ops', 'reader', 'staff']) expect([name, (await begin({}, name)).statusCode]).toEqual([name, 403]);
  });
});

describe('an export over HTTP (contract 35.17)', () => {
  it('is a file, whose parts are sent as they are read', async () => {
    const { status, headers, body } = await read();
    expect([status, headers['content-type'], headers['cache-control'], headers['content-disposition']]).toEqual([
      200,
      'application/x-ndjson',
      'no-store',
      'attachment; filename="petstore-export-to-checkpoint-1.ndjson"',
    ]);
    release();
    expect(await body).toEqual({ text: `{"number":1}\n${MANIFEST}`, isComplete: true });
  });

  it('has a name of its range and its scope, whatever the name of its stream is', async () => {
    const range = { from: '2026-11-01T00:00:00.000Z', to: '2026-12-01T00:00:00.000Z' };
    const named = async (scope: object): Promise<string> => {
      api.application.setHandler(OpenExport, () => ({ scope: { ...SCOPE, ...scope }, cover: 1, parts: parts(async () => undefined) }));
      const { headers, body } = await read();
      await body;
      return String(headers['content-disposition']);
    };
    expect(await named(range)).toBe('attachment; filename="petstore-export-2026-11-01-to-2026-12-01.ndjson"');
    expect(await named({ ...range, stream: 'a"\r\nb: ä' })).toContain('"petstore-export-a-b--2026-11-01-to-2026-12-01.ndjson"');
  });

  it('ends without a manifest if an event is altered, so that it never looks whole', async () => {
    api.application.setHandler(OpenExport, () => ({
      scope: SCOPE,
      cover: 1,
      parts: parts(() => Promise.reject(new ExportFailed('event 1 of pet-1 does not match its hash'))),
    }));
    api.logged.length = 0;
    const { status, body } = await read();
    expect([status, await body]).toEqual([200, { text: '{"number":1}\n', isComplete: false }]);
    const failures = api.logged.map((line) => JSON.parse(line) as object).filter((line) => 'err' in line);
    expect(failures).toEqual([
      expect.objectContaining({
        ...{ level: 50, path: '/v1/audit/exports/an-export', requestId: expect.stringMatching(/^request-/), actor: 'auditor' },
        err: expect.objectContaining({ message: 'event 1 of pet-1 does not match its hash' }),
      }),
    ]);
  });

  it('is a problem if the first part cannot be read, and 404 with another id', async () => {
    api.application.setHandler(OpenExport, () => {
      throw new ExportFailed('checkpoint 1: its signature is not valid');
    });
    const altered = await api.inject({ url: '/v1/audit/exports/an-export', headers: as('auditor') });
    expect([altered.statusCode, kindOf(altered)]).toEqual([503, 'history-altered']);
    api.application.setHandler(OpenExport, () => null);
    const missing = await api.inject({ url: '/v1/audit/exports/another', headers: as('auditor') });
    expect([missing.statusCode, kindOf(missing), api.application.last(OpenExport).id]).toEqual([404, 'not-found', 'another']);
  });

  it('is sent twice at once, and again when a client has left', async () => {
    const [one, other, third] = [await read(), await read('GET', 'auditor2'), await read('GET', 'auditor3')];
    expect([one.status, other.status, third.status, third.headers['retry-after']]).toEqual([200, 200, 503, '5']);
    one.leave();
    release();
    await until(() => ended === 2);
    await until(async () => {
      const { status, body } = await read();
      await body;
      return status === 200;
    });
    expect((await other.body).isComplete).toBe(true);
  });

  it('is sent once at a time to a caller', async () => {
    const [one, again] = [await read(), await read()];
    expect([one.status, again.status, again.headers['retry-after']]).toEqual([200, 503, '5']);
    expect((await again.body).text).toContain('This process sends an export to you already');
    release();
    await one.body;
  });

  it('ends without a manifest if its client takes nothing for 30 seconds', async () => {
    const sockets: Socket[] = [];
    const server = api.app.getHttpServer();
    server.on('connection', (socket: Socket) => void sockets.push(socket));
    const { body } = await read();
    const [socket] = sockets;
    expect(socket?.timeout).toBe(30_000);
    socket?.emit('timeout');
    expect(await body).toEqual({ text: '{"number":1}\n', isComplete: false });
    release();
    await until(() => ended === 1);
  });

  it('does not begin for a HEAD', async () => {
    const { status, headers, body } = await read('HEAD');
    expect([status, headers['content-type'], await body, ended]).toEqual([200, 'application/x-ndjson', { text: '', isComplete: true }, 0]);
  });

  it('ends without a manifest when the process stops', async () => {
    const stopping = await runningApi({ RATE_LIMIT: 'off' });
    stopping.application.setHandler(OpenExport, () => ({ scope: SCOPE, cover: 1, parts: parts(() => new Promise(() => undefined)) }));
    await stopping.app.listen(0, '127.0.0.1');
    const before = url;
    url = await stopping.app.getUrl();
    const { body } = await read();
    url = before;
    await stopping.app.close();
    expect(await body).toEqual({ text: '{"number":1}\n', isComplete: false });
  });
});
