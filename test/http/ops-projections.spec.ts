import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ProjectionStates } from '../../apps/api/ops/projections/projection.dto.js';
import { eventually } from '../eventually.js';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { expectProblem } from './problems.js';

const TOO_LONG = { reason: 'x'.repeat(501) };

let service: TestPetstore;
let ops: string;
beforeAll(async () => {
  service = await startTestPetstore();
  ops = await service.token('ops');
});
afterAll(() => service.stop());

const post = (path: string, body: object, more: object = {}) => service.request('POST', `/v1/ops/${path}`, { token: ops, body, ...more });
const act = (action: string, body: object = {}, name = 'webhooks') => post(`projections/${name}/${action}`, body);
const stateOf = async (name: string) =>
  (await service.request<ProjectionStates>('GET', '/v1/ops/projections', { token: ops })).json.data.find((one) => one.name === name);

/** Proves contract 43.3, contract 43.5, contract 43.6 and contract 43.7. */
describe('an action of an operator on a read model', () => {
  it.each(['pause', 'resume', 'rebuild', 'switch', 'drop'])(
    'to %s it names an existing one, with a reason of at most 500 characters',
    async (action) => {
      expectProblem(await act(action, { reason: 'to see it' }, 'cats'), 404, 'not-found');
      expectProblem(await act(action, TOO_LONG), 422, 'validation-failed', { reason: ['too_long'] });
    },
  );

  it('needs a reason to drop a fill', async () => expectProblem(await act('drop'), 422, 'validation-failed', { reason: ['required'] }));

  it('is refused while nothing fits it', async () => {
    for (const [action, body] of [
      ['switch', {}],
      ['switch', { back: true }],
      ['drop', { reason: 'to see it' }],
    ] as const)
      expectProblem(await act(action, body), 409, 'conflict');
  });

  it('makes no second fill beside a fill, and none of a paused read model', async () => {
    expect((await act('rebuild', { hold: true })).status).toBe(204);
    expectProblem(await act('rebuild'), 409, 'conflict');
    await eventually('the fill to be held', async () => (await stateOf('webhooks'))?.fill?.state === 'held');
    for (const action of ['switch', 'drop'])
      expectProblem(
        await post(`projections/webhooks/${action}`, { reason: 'to see it' }, { headers: { 'if-match': '"another"' } }),
        412,
        'precondition-failed',
      );
    expect((await act('pause')).status).toBe(204);
    expectProblem(await act('switch'), 409, 'conflict');
    expect((await act('resume')).status).toBe(204);
    await eventually('both to follow the log', async () => (await act('switch')).status === 204);
    expect(await stateOf('webhooks')).toMatchObject({ keptUntil: expect.anything() });
    expect((await act('drop', { reason: 'it is not needed' })).status).toBe(204);
    expect((await act('pause')).status).toBe(204);
    expectProblem(await act('rebuild'), 409, 'conflict');
    expect((await act('resume')).status).toBe(204);
    expect(await stateOf('webhooks')).not.toMatchObject({ fill: expect.anything() });
  });

  it('has one effect for each Idempotency-Key, whatever others have decided meanwhile', async () => {
    const idempotencyKey = randomUUID();
    const replayed = async (action: string, body: object) =>
      (await post(`projections/users/${action}`, body, { idempotencyKey })).headers['idempotent-replayed'];
    expect(await replayed('pause', { reason: 'to look' })).toBeUndefined();
    expect((await act('resume', {}, 'users')).status).toBe(204);
    expect(await replayed('pause', { reason: 'to look' })).toBe('true');
    expect(await stateOf('users')).not.toMatchObject({ pause: expect.anything() });
    expectProblem(await post('projections/users/pause', { reason: 'to work' }, { idempotencyKey }), 422, 'idempotency-key-reused', {
      'Idempotency-Key': ['mismatch'],
    });
    // Another operation has keys of its own.
    expect(await replayed('resume', {})).toBeUndefined();
  });

  it('exchanges two fills once, although its answer was lost', async () => {
    expect((await act('rebuild', {}, 'orders')).status).toBe(204);
    await eventually('the switch', async () => (await stateOf('orders'))?.keptUntil !== undefined);
    const idempotencyKey = randomUUID();
    const back = () => post('projections/orders/switch', { back: true }, { idempotencyKey });
    await eventually('the way back', async () => (await back()).status === 204);
    const { etag } = (await stateOf('orders')) ?? {};
    const again = await back();
    expect([again.status, again.headers['idempotent-replayed'], (await stateOf('orders'))?.etag]).toEqual([204, 'true', etag]);
  });

  it('is refused if somebody has acted since the tag that its sender saw', async () => {
    const seen = (await stateOf('pets'))?.etag ?? '';
    const pause = (ifMatch: string) => post('projections/pets/pause', {}, { headers: { 'if-match': ifMatch } });
    expectProblem(await pause('"another"'), 412, 'precondition-failed');
    expect((await pause(seen)).status).toBe(204);
    for (const action of ['pause', 'resume'])
      expectProblem(
        await post(`projections/pets/${action}`, { reason: 'to see it' }, { headers: { 'if-match': seen } }),
        412,
        'precondition-failed',
      );
    const now = (await stateOf('pets'))?.etag ?? '';
    expectProblem(await post('projections/pets/resume', {}, { headers: { 'if-none-match': now } }), 412, 'precondition-failed');
    expect((await post('projections/pets/resume', {}, { headers: { 'if-match': now } })).status).toBe(204);
    expectProblem(await post('projections/pets/rebuild', {}, { headers: { 'if-match': now } }), 412, 'precondition-failed');
    // Also a decision that takes another one back: who saw the state before has not seen both.
    expectProblem(await pause(seen), 412, 'precondition-failed');
  });

  it('is recorded only if it takes effect, also of many that are sent at the same moment', async () => {
    const audit = await service.token('ops audit:read');
    const events = async () =>
      (await service.request<{ data: readonly object[] }>('GET', '/v1/audit/events?type=ProjectionPaused', { token: audit })).json.data
        .length;
    const before = await events();
    const seen = (await stateOf('payments'))?.etag ?? '';
    const one = { headers: { 'if-match': seen } };
    const others = await Promise.all([1, 2, 3].map((n) => post('projections/payments/pause', { reason: `${n}` }, one)));
    expect(others.map(({ status }) => status).toSorted()).toEqual([204, 412, 412]);
    const key = { idempotencyKey: randomUUID() };
    const same = await Promise.all([1, 2, 3, 4].map(() => post('projections/adoptions/pause', {}, key)));
    expect(same.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
    expect(await events()).toBe(before + 2);
    for (const name of ['payments', 'adoptions']) expect((await act('resume', {}, name)).status).toBe(204);
  });

  it.each([
    ['nothing', {}, { all: ['mismatch'] }],
    ['a name alone', { name: 'pets' }, { stream: ['required'] }],
    ['a reason that is too long', { all: true, ...TOO_LONG }, { reason: ['too_long'] }],
  ])('does not retry %s', async (_, body, codes) => expectProblem(await post('parked/retry', body), 422, 'validation-failed', codes));
});
