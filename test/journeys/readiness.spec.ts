import { afterEach, describe, expect, it } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';
import { eventually } from '../eventually.js';
import { openInProcessStore, type InProcessPetstore } from './in-process-petstore.js';

let open: InProcessPetstore | undefined;

afterEach(async () => {
  await open?.stop();
  open = undefined;
});

/** Proves contract 25.1. */
describe('the readiness of the embedded service', () => {
  it('shows the lag of its consumers and the number of their parked keys', async () => {
    open = await openInProcessStore(':memory:');
    const { call } = open;
    expect((await call('POST', '/v1/pets', { body: { name: 'Seen', species: 'CAT', ageMonths: 4 } })).status).toBe(201);
    const done = { behind: 0, parked: 0 };
    await eventually('both consumers to reach the end', async () => {
      const { store } = (await call('GET', '/health/ready')).json['details'] as { readonly store: { readonly consumers: object } };
      return isDeepStrictEqual(store.consumers, { processes: done, announcements: done });
    });
  });
});
