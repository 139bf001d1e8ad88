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

const post = (path: string, body: object) => service.request('POST', `/v1/ops/${path}`, { token: ops, body });
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

  it.each([
    ['nothing', {}, { all: ['mismatch'] }],
    ['a name alone', { name: 'pets' }, { stream: ['required'] }],
    ['a reason that is too long', { all: true, ...TOO_LONG }, { reason: ['too_long'] }],
  ])('does not retry %s', async (_, body, codes) => expectProblem(await post('parked/retry', body), 422, 'validation-failed', codes));
});
