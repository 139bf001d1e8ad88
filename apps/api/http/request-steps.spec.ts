import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rejected } from '../../../libs/eventsourcing/decider.js';
import { manualClock } from '../../../libs/eventsourcing/testing/manual-clock.js';
import { UpdatePet } from '../../../libs/application/pets/pet.commands.js';
import { projections } from '../../../libs/projections/projections.js';
import { NO_DECISIONS, createTestLog, memoryDocuments } from '../../../libs/runtime/following/following.fixtures.js';
import { LUNA, PET, petsApi } from '../testing/pets-api.fixtures.js';
import { as, kindOf, type RunningApi } from '../testing/running-api.fixtures.js';
import { createConsistency } from './consistency/consistency.js';
import type { ProblemKind } from './problems/problem-kinds.js';

type Headers = Readonly<Record<string, string>>;

/** A fault that one step answers: what it changes about a valid request, or the state in which that request comes. */
type Fault = { readonly kind: ProblemKind; readonly headers?: Headers; readonly isLimited?: true };

/** In the order of the steps. The address is that of PUT of a pet, which the handler rejects with a conflict. */
const FAULTS: readonly Fault[] = [
  { kind: 'expectation-failed', headers: { expect: 'more' } },
  { kind: 'misdirected-request', headers: { host: 'evil.test' } },
  { kind: 'too-many-requests', isLimited: true },
  { kind: 'forbidden', headers: as('ann') },
  { kind: 'unsupported-media-type', headers: { 'content-type': 'text/plain' } },
  { kind: 'invalid-request', headers: { 'if-match': 'no tag' } },
  { kind: 'conflict' },
];
const PAIRS = FAULTS.flatMap((first, at) => FAULTS.slice(at).map((second) => [first.kind, second.kind, first, second] as const));

/** Proves contract 2.5 for each pair of steps. */
describe('of two faults of a request', () => {
  let open: RunningApi;
  let limited: RunningApi;
  beforeAll(async () => {
    const documents = memoryDocuments();
    const clock = manualClock();
    const store = { ...createTestLog().store, append: () => Promise.reject(new Error('nothing is appended')), readAll: async () => [] };
    const consistency = createConsistency({
      decisions: NO_DECISIONS,
      store,
      head: async () => 0,
      documents: documents.documents,
      projections,
      clock,
      writeWaitMilliseconds: 0,
    });
    open = await petsApi({ HOST: '127.0.0.1', RATE_LIMIT: 'off' }, { consistency });
    limited = await petsApi({ HOST: '127.0.0.1', RATE_LIMIT: '1/60s' }, { consistency });
    for (const { application } of [open, limited]) application.setHandler(UpdatePet, () => rejected('pet_held'));
    for (const name of ['staff', 'ann']) await limited.inject({ url: PET, headers: { ...as(name), host: 'localhost' } });
  });
  afterAll(() => Promise.all([open.app.close(), limited.app.close()]));

  it.each(PAIRS)('%s and %s, the first is answered', async (kind, _, first, second) => {
    const { inject } = first.isLimited || second.isLimited ? limited : open;
    const headers = { host: 'localhost', ...as('staff'), 'content-type': 'application/json', ...second.headers, ...first.headers };
    expect(kindOf(await inject({ method: 'PUT', url: PET, headers, payload: JSON.stringify({ ...LUNA, status: 'AVAILABLE' }) }))).toBe(
      kind,
    );
  });

  it('of the token of consistency and the state, the token is answered', async () => {
    const headers = { host: 'localhost', ...as('staff'), 'consistency-token': 'no token' };
    expect(kindOf(await open.inject({ method: 'PUT', url: PET, headers, payload: { ...LUNA, status: 'AVAILABLE' } }))).toBe(
      'invalid-request',
    );
  });
});
