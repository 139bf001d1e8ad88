import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { SkippedEvents, SkipResult } from '../../apps/api/ops/parked/parked.dto.js';
import type { ProjectionState, ProjectionStates } from '../../apps/api/ops/projections/projection.dto.js';
import { failingProjections, POISON, REJECTS } from '../journeys/failing-projections.js';
import { itOnOwnPetstore, startOwnPetstore, type OwnPetstore } from '../servers/test-petstore.js';
import { expectProblem } from './problems.js';

const PET = { name: 'Rex', species: 'BIRD', ageMonths: 2, price: '5.00' };
const REASON = 'the name came from a broken import';

let service: OwnPetstore;
let staff: string;
beforeAll(async () => {
  service = await startOwnPetstore({}, { projections: failingProjections('PetDetailsRevised') });
  staff = await service.token('write:pets ops');
});
afterAll(() => service.stop());

const post = <T>(action: string, body: object, idempotencyKey?: string) =>
  service.request<T>('POST', `/v1/ops/parked/${action}`, { token: staff, body, ...(idempotencyKey !== undefined && { idempotencyKey }) });

const petsState = async (): Promise<ProjectionState | undefined> =>
  (await service.request<ProjectionStates>('GET', '/v1/ops/projections', { token: staff })).json.data.find(({ name }) => name === 'pets');

/** Lists a pet, and renames it so that its stream is parked at revision 1. Returns the stream. */
const givenParked = async (): Promise<string> => {
  const { json } = await service.request<{ id: string }>('POST', '/v1/pets', { token: staff, body: PET });
  await service.request('PUT', `/v1/pets/${json.id}`, { token: staff, body: { ...PET, name: POISON, status: 'AVAILABLE' } });
  return `pet-${json.id}`;
};

/** Proves contract 43.8. */
describe('a skip', () => {
  itOnOwnPetstore('is made once and ended once, and its result says whether the stream waits', async () => {
    const event = { name: 'pets', stream: await givenParked(), revision: 1 };
    expect(await petsState()).toMatchObject({ parked: 1, lastError: { error: `${REJECTS} in ${event.stream}` } });
    for (let time = 0; time < 2; time++) {
      const { status, json } = await post<SkipResult>('skip', { ...event, reason: REASON });
      expect([status, json]).toEqual([200, { ...event, outcome: 'released' }]);
    }
    const { json } = await service.request<SkippedEvents>('GET', '/v1/ops/parked/skipped', { token: staff });
    expect(json.data).toEqual([{ ...event, since: expect.any(String), by: 'staff', reason: REASON }]);
    const ended = await post<SkipResult>('unskip', event);
    expect([ended.status, ended.json]).toEqual([200, { ...event, outcome: 'parked', error: `${REJECTS} in ${event.stream}` }]);
    expectProblem(await post('unskip', event), 409, 'conflict');
  });

  itOnOwnPetstore('and its end and a retry have one effect for each Idempotency-Key', async () => {
    const event = { name: 'pets', stream: await givenParked(), revision: 1 };
    const skip = { ...event, reason: REASON };
    const retry = { name: 'pets', stream: event.stream };
    const sent = async (action: string, body: object, key: string) => {
      const { status, headers, json } = await post(action, body, key);
      return [status, headers['idempotent-replayed'], json];
    };
    const parked = { outcome: 'parked', error: `${REJECTS} in ${event.stream}` };
    for (const replayed of [undefined, 'true'])
      expect(await sent('retry', retry, 'retry')).toEqual([
        200,
        replayed,
        { trial: false, results: [{ ...event, cause: expect.any(String), ...parked }] },
      ]);
    for (const replayed of [undefined, 'true'])
      expect(await sent('skip', skip, 'skip')).toEqual([200, replayed, { ...event, outcome: 'released' }]);
    for (const replayed of [undefined, 'true'])
      expect(await sent('unskip', event, 'unskip')).toEqual([200, replayed, { ...event, ...parked }]);
    // What another operator has ended meanwhile does not begin again.
    expect(await sent('skip', skip, 'skip')).toEqual([200, 'true', { ...event, ...parked }]);
    for (const [action, body] of [
      ['retry', { all: true }],
      ['skip', { ...skip, reason: 'another one' }],
      ['unskip', { ...event, reason: 'another one' }],
    ] as const)
      expectProblem(await post(action, body, action), 422, 'idempotency-key-reused', { 'Idempotency-Key': ['mismatch'] });
  });

  itOnOwnPetstore('is one of an event that is parked under the name, and not the first of its stream', async () => {
    const event = { name: 'pets', stream: await givenParked(), revision: 1, reason: REASON };
    for (const change of [{ revision: 2 }, { name: 'orders' }, { name: 'cats' }, { stream: 'pet-1' }])
      expectProblem(await post('skip', { ...event, ...change }), 409, 'conflict');
    expectProblem(await post('skip', { ...event, revision: 0 }), 422, 'validation-failed', { revision: ['too_small'] });
    expectProblem(await post('unskip', { ...event, revision: 0 }), 422, 'validation-failed', { revision: ['too_small'] });
    const { reason: _, ...withoutReason } = event;
    expectProblem(await post('skip', withoutReason), 422, 'validation-failed', { reason: ['required'] });
  });

  itOnOwnPetstore('waits until its read model is resumed, and until a fill of it is complete or dropped', async () => {
    const event = { name: 'pets', stream: await givenParked(), revision: 1 };
    const act = (action: string, body: object) => service.request('POST', `/v1/ops/projections/pets/${action}`, { token: staff, body });
    expect((await act('pause', {})).status).toBe(204);
    expectProblem(await post('skip', { ...event, reason: REASON }), 409, 'conflict');
    expect((await act('resume', {})).status).toBe(204);
    expect((await act('rebuild', { hold: true })).status).toBe(204);
    expectProblem(await post('skip', { ...event, reason: REASON }), 409, 'conflict');
    expect((await act('drop', { reason: 'to skip an event' })).status).toBe(204);
    expect((await post('skip', { ...event, reason: REASON })).status).toBe(200);
    expect((await act('rebuild', { hold: true })).status).toBe(204);
    expectProblem(await post('unskip', event), 409, 'conflict');
  });
});
