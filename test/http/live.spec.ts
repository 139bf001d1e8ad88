import { randomUUID } from 'node:crypto';
import { request as openRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { eventually } from '../eventually.js';
import { itOnOwnPetstore, startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { expectProblem } from './problems.js';
import { PRICED_PET } from './shop.js';

type Message = { readonly name: string; readonly data: Readonly<Record<string, unknown>> };
type AppendedEvent = { readonly stream: string; readonly type: string; readonly tenant: string };

let service: TestPetstore;
beforeAll(async () => {
  service = await startTestPetstore();
});
afterAll(() => service.stop());

/** Opens a live stream, and collects its messages until it ends. */
const watch = async (token: string, { query = '', tenant }: { query?: string; tenant?: string } = {}) => {
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${token}`, ...(tenant !== undefined && { 'x-tenant-id': tenant }) };
  const response = await fetch(`${service.url}/v1/ops/live${query}`, { headers, signal: leaving.signal });
  const messages: Message[] = [];
  const read = async (): Promise<void> => {
    const events = response.body?.pipeThrough(new TextDecoderStream() as never).pipeThrough(new EventSourceParserStream());
    for await (const { event = '', data } of events ?? [])
      messages.push({ name: event, data: JSON.parse(data) as Readonly<Record<string, unknown>> });
  };
  const ended = read().catch(() => undefined);
  const named = (name: string): readonly Message['data'][] => messages.filter((one) => one.name === name).map(({ data }) => data);
  const appended = (): readonly AppendedEvent[] => named('appended').flatMap(({ data }) => data as readonly AppendedEvent[]);
  return { response, messages, ended, named, appended, leave: () => leaving.abort() };
};

const addPet = async (tenant: string): Promise<string> => {
  const token = await service.token('write:pets', { tenant });
  return `pet-${(await service.request<{ id: string }>('POST', '/v1/pets', { token, body: PRICED_PET })).json.id}`;
};

/** Proves contract 43.12. */
describe('the live stream', () => {
  it('has the state of the service and the samples of its processes for an operator, and ends in time', async () => {
    const { response, ended, messages, named } = await watch(await service.token('ops'), { query: '?seconds=0' });
    await ended;
    expect([response.status, response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      'no-store',
    ]);
    expect(messages.map(({ name }) => name)).toEqual(['state', 'samples', 'end']);
    const [state] = named('state');
    expect(state).toMatchObject({
      processes: expect.arrayContaining([expect.objectContaining({ roles: expect.arrayContaining(['api']), pid: expect.any(Number) })]),
      orders: { placed: expect.any(Number), delivered: expect.any(Number) },
      payments: { processing: expect.any(Number), succeeded: expect.any(Number) },
      deliveries: { pending: expect.any(Number), parked: expect.any(Number) },
      parked: { count: expect.any(Number) },
      projections: expect.arrayContaining([expect.objectContaining({ name: 'pets', status: 'running' })]),
      health: { version: expect.any(String), audit: { faultCount: 0 } },
    });
    const [{ processes = [] } = {}] = named('samples') as readonly { processes?: readonly { values: { requests: readonly number[] } }[] }[];
    for (const { values } of processes) for (const list of Object.values(values)) expect(list).toHaveLength(values.requests.length);
    expect(named('end')).toEqual([{ reason: 'time' }]);
  });

  it('has the new events of the tenant for an auditor, without their data, and nothing of another tenant', async () => {
    const [tenant, other] = [randomUUID(), randomUUID()];
    const { appended, messages, leave, ended } = await watch(await service.token('audit:read', { tenant }));
    const shown = await eventually('the first event', async () => {
      await addPet(other);
      await addPet(tenant);
      return appended().length > 1 ? appended() : null;
    });
    leave();
    await ended;
    for (const event of shown) expect(event).toMatchObject({ type: expect.any(String), tenant });
    for (const event of shown) expect(event).not.toHaveProperty('data');
    expect(messages.filter(({ name }) => name !== 'appended')).toEqual([]);
  });

  it('has nothing from before it began for an auditor of a tenant, whose number would tell how much others write', async () => {
    const tenant = randomUUID();
    await addPet(tenant);
    const { appended, named, ended } = await watch(await service.token('audit:read', { tenant }), { query: '?seconds=0' });
    await ended;
    expect([appended().filter(({ type }) => type === 'PetListed'), named('appended').filter(({ more }) => more)]).toEqual([[], []]);
  });

  it('has the events of all tenants with tenant=* for an operator who is an auditor, and for nobody else', async () => {
    const [tenant, other] = [randomUUID(), randomUUID()];
    const { appended, leave, ended } = await watch(await service.token('ops audit:read'), { query: '?tenant=*' });
    await eventually('the events of both tenants', async () => {
      await addPet(other);
      await addPet(tenant);
      return [tenant, other].every((one) => appended().some((event) => event.tenant === one));
    });
    leave();
    await ended;
    for (const claims of [{ tenant }, {}])
      expectProblem(
        await service.request('GET', '/v1/ops/live?tenant=*&seconds=0', { token: await service.token('audit:read', claims) }),
        403,
        'forbidden',
      );
  });

  it('rejects a token that is bound to a tenant and is no auditor’s, because it could show nothing', async () =>
    expectProblem(
      await service.request('GET', '/v1/ops/live?seconds=0', { token: await service.token('ops', { tenant: randomUUID() }) }),
      403,
      'forbidden',
    ));

  it('ends within seconds after its token has ended', async () => {
    const { ended, named } = await watch(await service.token('ops', { expiresIn: 2 }));
    await ended;
    expect(named('end')).toEqual([{ reason: 'token' }]);
  });

  it('is sent ten times to one caller, 25 times to tokens of tenants, 50 times in all, and again when one has left', async () => {
    const tokenOf = (subject: string, scopes = 'ops', tenant?: string) =>
      service.token(scopes, { subject, ...(tenant !== undefined && { tenant }) });
    const openAll = async (tokens: readonly string[]) => Promise.all(tokens.map((token) => watch(token)));
    const statusOf = async (token: string): Promise<number> => {
      const { response, ended } = await watch(token, { query: '?seconds=0' });
      await ended;
      return response.status;
    };
    const ann = await tokenOf('ann');
    const streams = await openAll(Array.from({ length: 10 }, () => ann));
    expect([await statusOf(ann), await statusOf(await tokenOf('bob'))]).toEqual([503, 200]);
    const bound = await Promise.all(Array.from({ length: 26 }, (_, n) => tokenOf(`auditor ${n % 3}`, 'audit:read', randomUUID())));
    streams.push(...(await openAll(bound.slice(0, 25))));
    expect(await statusOf(bound[25] ?? '')).toBe(503);
    streams.push(...(await openAll(await Promise.all(Array.from({ length: 15 }, (_, n) => tokenOf(`operator ${n}`))))));
    expect([streams.filter(({ response }) => response.status !== 200).length, await statusOf(await tokenOf('eve'))]).toEqual([0, 503]);
    streams[0]?.leave();
    await eventually('a free stream', async () => (await statusOf(ann)) === 200);
    for (const stream of streams) stream.leave();
    await Promise.all(streams.map(({ ended }) => ended));
  });

  it('does not begin for a HEAD, which reads no stream', async () => {
    const token = await service.token('ops', { subject: 'head' });
    for (let n = 0; n < 30; n++)
      await eventually('the headers', async () => (await service.request('HEAD', '/v1/ops/live', { token })).status === 200);
    const { response, leave, ended } = await watch(token);
    expect(response.status).toBe(200);
    leave();
    await ended;
  });

  itOnOwnPetstore('ends when the process stops', async () => {
    const own = await startTestPetstore();
    const token = await own.token('ops');
    const text = await new Promise<string>((resolve, reject) => {
      const request = openRequest(`${own.url}/v1/ops/live`, { headers: { authorization: `Bearer ${token}` } }, (response) => {
        let received = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          if (received === '') void own.stop();
          received += part;
        });
        response.on('end', () => resolve(received)).on('error', reject);
      });
      request.on('error', reject).end();
    });
    expect(text).toContain('event: end\ndata: {"reason":"stopping"}\n\n');
  });
});
