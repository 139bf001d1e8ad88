import { afterEach, describe, expect, it } from '@jest/globals';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { eventually } from '../eventually.js';
import type { Call } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { openInProcessStore, type InProcessPetstore } from './in-process-petstore.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let open: InProcessPetstore | undefined;

afterEach(async () => {
  await open?.stop();
  open = undefined;
  removeFolders();
});

const applyForPet = async (call: Call): Promise<{ readonly petId: string; readonly adoptionId: string }> => {
  const pet = await call('POST', '/v1/pets', { body: { name: 'Hold', species: 'CAT', ageMonths: 4 } });
  const petId = String(pet.json['id']);
  const adoption = await call('POST', '/v1/adoptions', { body: { petId, applicant: { name: 'Ann Lee', email: 'ann@example.com' } } });
  expect(adoption.status).toBe(201);
  return { petId, adoptionId: String(adoption.json['id']) };
};

const statusOf = async (call: Call, path: string): Promise<unknown> => (await call('GET', path)).json['status'];

/** Proves contract 36.6. */
describe('an application that nobody decides', () => {
  it('expires after ADOPTION_HOLD and releases its pet; an approved application does not expire', async () => {
    const clock = manualClock();
    open = await openInProcessStore(newFolder(), { clock }, { ADOPTION_HOLD: '1h' });
    const { call } = open;
    const undecided = await applyForPet(call);
    const approved = await applyForPet(call);
    expect((await call('POST', `/v1/adoptions/${approved.adoptionId}/approval`)).status).toBe(200);

    // The clock advances minute by minute, so that each timer runs at its time.
    await eventually('the application to expire', async () => {
      clock.advance(MINUTE);
      return (await statusOf(call, `/v1/adoptions/${undecided.adoptionId}`)) === 'expired';
    });
    expect(clock.now().getTime() - manualClock().now().getTime()).toBeGreaterThanOrEqual(HOUR);
    await eventually('its pet to be free', async () => (await statusOf(call, `/v1/pets/${undecided.petId}`)) === 'AVAILABLE');
    expect(await statusOf(call, `/v1/adoptions/${approved.adoptionId}`)).toBe('approved');
    expect(await statusOf(call, `/v1/pets/${approved.petId}`)).toBe('ADOPTED');
  });
});
