import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { memoryDocuments, runPending } from '../following/following.fixtures.js';
import { OPERATOR_STATE, OPERATOR_STATE_KEY, OperatorDecisions, type OperatorState } from './operator-state.js';
import { meetRefolds, meetRetryRequests, metRequests } from './retry-requests.js';

/** Proves contract 43.3. */
describe('requests to retry what is parked', () => {
  const { documents } = memoryDocuments(() => true);
  let decisions: OperatorDecisions;
  let retried: number;
  let errors: unknown[];
  let stop: () => Promise<void>;
  let fails: boolean;
  const decide = async (state: OperatorState): Promise<void> => {
    const document = { key: OPERATOR_STATE_KEY, json: JSON.stringify(state), fields: {}, revision: 1 };
    await documents.apply([{ kind: 'put', collection: OPERATOR_STATE, document }]);
    await decisions.refresh();
    await runPending();
  };
  const start = (names: readonly string[]): void => {
    const retry = async (): Promise<void> => {
      retried++;
      if (fails) throw new Error('the database is away');
    };
    stop = meetRetryRequests({ decisions, documents, names, retry, onError: (error) => errors.push(error) });
  };

  beforeEach(() => {
    [decisions, retried, errors, fails] = [new OperatorDecisions(documents), 0, [], false];
  });
  afterEach(() => stop());

  it('are met once by the readers that they name', async () => {
    start(['pets', 'orders']);
    await decide({ retries: { users: 1 } });
    expect(retried).toBe(0);
    await decide({ retries: { users: 1, pets: 1, orders: 2 } });
    expect([retried, await metRequests(documents, 'pets'), await metRequests(documents, 'orders')]).toEqual([1, 1, 2]);
    await decide({ retries: { users: 2, pets: 1, orders: 2 } });
    expect(retried).toBe(1);
  });

  it('that were made while no process ran are met at the start', async () => {
    await decide({ retries: { relay: 1 } });
    start(['relay']);
    await runPending();
    expect([retried, await metRequests(documents, 'relay')]).toEqual([1, 1]);
  });

  it('are not met if the retry failed, and are met with the next request', async () => {
    start(['users']);
    fails = true;
    await decide({ retries: { users: 7 } });
    expect([errors, await metRequests(documents, 'users')]).toEqual([[new Error('the database is away')], 0]);
    fails = false;
    await decide({ retries: { users: 8 } });
    expect(await metRequests(documents, 'users')).toBe(8);
  });
});

/** Proves contract 43.8. */
describe('streams that must be folded again', () => {
  it('are folded once by each version, also by one that did not run when they were requested', async () => {
    const { documents } = memoryDocuments(() => true);
    const decisions = { current: (): OperatorState => ({ refolds: { pets: { 'pet-1': 3, 'pet-2': 4 }, orders: { 'order-1': 9 } } }) };
    const folded: string[] = [];
    const meet = (version: string, at = decisions) =>
      meetRefolds({
        decisions: at,
        documents,
        projection: 'pets',
        version,
        refold: async (stream) => void folded.push(`${version} ${stream}`),
      });
    await meet('pets_v1');
    await meet('pets_v1');
    expect(folded.splice(0)).toEqual(['pets_v1 pet-1', 'pets_v1 pet-2']);
    await meet('pets_v2');
    expect(folded.splice(0)).toEqual(['pets_v2 pet-1', 'pets_v2 pet-2']);
    expect(await meet('pets_v1', { current: () => ({ refolds: { pets: { 'pet-1': 5, 'pet-2': 4 } } }) })).toBe(true);
    expect(folded.splice(0)).toEqual(['pets_v1 pet-1']);
    // A process that does not know yet what was decided.
    expect([await meet('pets_v1'), folded]).toEqual([false, []]);
  });
});
