import { afterEach, describe, expect, it } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';
import { eventually } from '../eventually.js';
import { openOwnStore, type OwnStore } from './in-process-store.js';

let open: OwnStore | undefined;

afterEach(async () => {
  await open?.stop();
  open = undefined;
});

describe('the readiness of one machine', () => {
  it('shows what its consumers have still to pass, and how many keys of theirs are parked', async () => {
    open = await openOwnStore(':memory:');
    const { call } = open;
    expect((await call('POST', '/v1/pets', { body: { name: 'Seen', species: 'CAT', ageMonths: 4 } })).status).toBe(201);
    const done = { behind: 0, parked: 0 };
    await eventually('both consumers to have passed everything', async () => {
      const { store } = (await call('GET', '/health/ready')).json['details'] as { readonly store: { readonly consumers: object } };
      return isDeepStrictEqual(store.consumers, { processes: done, announcements: done });
    });
  });
});
