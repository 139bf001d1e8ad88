import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ProjectionState } from '../../../apps/api/ops/projections/projection.dto.js';
import { eventually } from '../../eventually.js';
import { caller, type JsonResponse, type Call } from '../../servers/calling.js';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { openSession, startClusterIfAvailable } from './journey.js';

const NAME = 'two apis with asynchronous read models';
/** Ten times the default, so that a busy machine does not exceed it. The write during the pause waits for all of it. */
const WRITE_WAIT = '5s';
const found = await startClusterIfAvailable({
  workers: ['projections', 'relay,consumers,timers'],
  guarded: true,
  settings: { LOG_LEVEL: 'warn', WRITE_WAIT },
});

describeIfAvailable(NAME, found, (cluster) => {
  /** Proves contract 10.2, contract 10.3 and contract 10.4. */
  describe(NAME, () => {
    const [projector] = cluster.workers;
    let one: Call;
    let other: Call;

    beforeAll(async () => {
      const { token } = await openSession(cluster);
      const [first, second] = cluster.apis.map(({ url }) => caller(url, token));
      if (!first || !second) throw new Error('there are no two apis');
      [one, other] = [first, second];
    });
    afterAll(async () => {
      projector?.resume();
      await cluster.close();
    });

    const pet = (name: string) => ({ name, species: 'CAT', ageMonths: 7, status: 'AVAILABLE' });
    const list = (call: Call, name: string): Promise<JsonResponse> => call('POST', '/v1/pets', { body: pet(name) });
    const tokenOf = ({ headers }: JsonResponse): string => String(headers['consistency-token']);
    const read = (call: Call, { json }: JsonResponse, token?: string): Promise<JsonResponse> =>
      call('GET', `/v1/pets/${String(json['id'])}`, token === undefined ? {} : { headers: { 'consistency-token': token } });

    it('show each write in the next read without a consistency token, at both APIs', async () => {
      for (let turn = 0; turn < 30; turn++) {
        const [writer, reader] = turn % 2 === 0 ? [one, other] : [other, one];
        const listed = await list(writer, `Plain ${turn}`);
        expect([listed.status, (await read(reader, listed)).status]).toEqual([201, 200]);
        const path = `/v1/pets/${String(listed.json['id'])}`;
        expect((await writer('PUT', path, { body: pet(`Revised ${turn}`) })).status).toBe(200);
        expect((await read(reader, listed)).json).toMatchObject({ name: `Revised ${turn}` });
        const { json } = await reader('GET', '/v1/pets?limit=1');
        expect(json).toMatchObject({ data: [{ id: listed.json['id'] }] });
        expect((await writer('DELETE', path)).status).toBe(204);
        expect((await read(reader, listed)).status).toBe(404);
      }
    });

    /** Proves contract 43.12. */
    it('show all processes to whoever watches one of them, with their roles and what they use', async () => {
      type Watched = { readonly roles: readonly string[]; readonly servers: object; readonly consumers: object | null };
      const processes = await eventually('all processes', async () => {
        const { text } = await one('GET', '/v1/ops/live?seconds=0');
        const [, state = '{}'] = /^event: state\ndata: (.*)$/m.exec(text) ?? [];
        const { processes: seen = [] } = JSON.parse(state) as { processes?: readonly Watched[] };
        return seen.length === 4 ? seen : null;
      });
      expect(processes.map(({ roles }) => roles.join()).toSorted()).toEqual(['api', 'api', 'projections', 'relay,consumers,timers']);
      const up = { status: 'up' };
      const find = (role: string) => processes.find(({ roles }) => roles.includes(role));
      expect(find('api')).toMatchObject({ servers: { eventstore: up, mongodb: up }, consumers: null });
      expect(find('relay')).toMatchObject({
        servers: { eventstore: up, mongodb: up, kafka: up },
        consumers: { processes: { parked: 0 }, relay: { parked: 0 } },
      });
    });

    it('answer every write with a consistency token that names its position', async () => {
      const listed = await list(one, 'Rex');
      const path = `/v1/pets/${String(listed.json['id'])}`;
      const revised = await one('PUT', path, { body: { ...pet('Rex'), price: '10.00' } });
      const ordered = await one('POST', '/v1/orders', { body: { petId: listed.json['id'] } });
      const order = `/v1/orders/${String(ordered.json['id'])}`;
      const source = { object: 'bank_account', number: '000123456789', sortCode: '110000', name: 'Banked Payer' };
      const paid = await one('POST', `${order}/payment`, { body: { amount: '10.00', currency: 'USD', source } });
      await eventually('the order to be approved', async () => (await other('GET', order)).json['status'] === 'approved');
      const shipped = await one('POST', `${order}/shipment`);
      const removed = await one('DELETE', order);
      const writes = { listed, revised, ordered, paid, shipped, removed };
      expect(Object.fromEntries(Object.entries(writes).map(([name, { status }]) => [name, status]))).toEqual({
        listed: 201,
        revised: 200,
        ordered: 201,
        paid: 201,
        shipped: 200,
        removed: 204,
      });
      for (const [name, response] of Object.entries(writes))
        expect([name, tokenOf(response)]).toEqual([name, expect.stringMatching(/^[a-z]+=\d+/)]);
      expect((await one('GET', path)).headers['consistency-token']).toBeUndefined();
    });

    it.each(['', 'x', 'pet=1;order=2', 'pet=-1'])('reject %j as a consistency token and name the header', async (token) => {
      for (const call of [one, other])
        expect(await call('GET', '/v1/pets', { headers: { 'consistency-token': [token] } })).toMatchObject({
          status: 400,
          json: { errors: [{ field: 'Consistency-Token' }] },
        });
    });

    it('answer 503 with the lag to a read whose read model does not reach the position of its token, and then 200', async () => {
      await projector?.pause();
      const listed = await list(one, 'Unseen');
      expect([listed.status, (await read(other, listed)).status]).toEqual([201, 404]);
      const rejected = await read(other, listed, tokenOf(listed));
      expect(rejected).toMatchObject({ status: 503, json: { detail: expect.stringMatching(/\d+ positions behind/) } });
      expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
      projector?.resume();
      await eventually('the read model at the position', async () => (await read(other, listed, tokenOf(listed))).status === 200);
    });

    /** Proves contract 43.6 and contract 43.7. */
    it('show every write while a second fill of a read model is made, replaces it, and is taken back', async () => {
      const act = async (action: string, body: object): Promise<void> =>
        expect([action, (await one('POST', `/v1/ops/projections/pets/${action}`, { body })).status]).toEqual([action, 204]);
      const state = async () =>
        ((await other('GET', '/v1/ops/projections')).json['data'] as readonly ProjectionState[]).find(({ name }) => name === 'pets');
      const total = async (call: Call): Promise<number> =>
        Number(((await call('GET', '/v1/pets?limit=1')).json['pagination'] as { readonly totalItems: number }).totalItems);
      let pets = await total(one);
      const listAndCount = async (): Promise<void> => {
        const listed = await list(one, 'Filled');
        pets++;
        expect([listed.status, (await read(other, listed, tokenOf(listed))).status]).toEqual([201, 200]);
        expect([await total(one), await total(other)]).toEqual([pets, pets]);
      };
      await act('rebuild', { reason: 'to see it' });
      await eventually('the fill to replace the read model', async () => {
        await listAndCount();
        return (await state())?.keptUntil;
      });
      expect((await state())?.fill).toBeUndefined();
      for (let turn = 0; turn < 5; turn++) await listAndCount();
      await eventually('what is kept to follow', async () => {
        const { status } = await one('POST', '/v1/ops/projections/pets/switch', { body: { back: true } });
        return status === 204;
      });
      for (let turn = 0; turn < 5; turn++) await listAndCount();
      await act('drop', { reason: 'it is not needed' });
      await listAndCount();
      expect((await state())?.keptUntil).toBeUndefined();
    });

    /** Proves contract 10.5 and contract 43.5. */
    it('show a paused read model as stale, also to a token, and writes do not wait for it until it is resumed', async () => {
      const act = async (action: 'pause' | 'resume'): Promise<void> =>
        expect((await one('POST', `/v1/ops/projections/pets/${action}`, { body: {} })).status).toBe(204);
      const shown = ({ status, headers }: JsonResponse): readonly unknown[] => [status, headers['consistency']];
      await act('pause');
      const listed = await eventually('both apis and the worker to follow the pause', async () => {
        const written = await list(one, 'Paused');
        const answers = [await read(one, written, tokenOf(written)), await read(other, written, tokenOf(written))];
        return answers.every((answer) => String(shown(answer)) === '404,stale') ? written : null;
      });
      expect(shown(await other('GET', '/v1/pets'))).toEqual([200, 'stale']);
      expect(shown(await other('GET', '/v1/orders'))).toEqual([200, undefined]);
      const states = (await other('GET', '/v1/ops/projections')).json['data'];
      expect(states).toContainEqual(expect.objectContaining({ name: 'pets', status: 'paused', pause: expect.anything() }));
      await act('resume');
      await eventually('the read model at the position', async () => String(shown(await read(other, listed, tokenOf(listed)))) === '200,');
    });
  });
});
