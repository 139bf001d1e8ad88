import { describe, expect, it } from '@jest/globals';
import type { AdoptionState } from '../../domain/adoptions/adoption.decider.js';
import { ADOPTION_STATUSES, type AdoptionRejectionReason, type AdoptionStatus } from '../../domain/adoptions/adoption.events.js';
import type { AdoptionId, PetId } from '../../domain/ids.js';
import { MAX_APPLICATIONS, NO_APPLICATIONS, type PetApplications } from '../../domain/pets/pet-applications.js';
import type { Aggregates } from '../../eventsourcing/aggregates.js';
import { PETS } from '../aggregates.js';
import { freePetIfEnded, holdPet } from './hold-pet.js';

const application = { petId: 'pet-1' as PetId, adoptionId: 'adoption-1' as AdoptionId };
const context = { tenant: 'shared', actor: 'ann', correlationId: 'c', causationId: 'c' };

type Outcome = { readonly commands: readonly unknown[]; readonly result: unknown };

/** Runs `step` for an application with this state. Returns the commands that the step sent, and its result. */
const outcomeOf = async (
  adoption: AdoptionState,
  { step = holdPet, ...applications }: { step?: typeof holdPet | typeof freePetIfEnded } & Partial<PetApplications> = {},
): Promise<Outcome> => {
  const commands: unknown[] = [];
  const pet = { kind: 'listed', status: 'PENDING', applications: { ...NO_APPLICATIONS, ...applications } };
  const aggregates = {
    load: async (aggregate: unknown) => ({ state: aggregate === PETS ? pet : adoption }),
    handle: async (_: unknown, __: string, command: unknown) => {
      commands.push(command);
      return { events: [] };
    },
  };
  const result = await step(aggregates as unknown as Aggregates, application, context);
  return { commands, result };
};

const withStatus = (status: AdoptionStatus): AdoptionState => ({
  ...{ status, tenant: 'shared', petId: application.petId, submittedAt: '2026-01-02T03:04:05.000Z' },
  ...{ isApproving: false, isErased: false },
});

const rejectedFor = (rejectionReason: AdoptionRejectionReason): AdoptionState =>
  ({ ...withStatus('rejected'), rejectionReason }) as AdoptionState;

/** Proves contract 24.5 and contract 36.5: the message of a submission may be delivered again. */
describe('an adoption application whose submission message is delivered', () => {
  it('holds its pet while the application is open', async () =>
    expect((await outcomeOf(withStatus('submitted'))).commands).toEqual([{ type: 'HoldPetForAdoption', data: application }]));

  it.each(ADOPTION_STATUSES.filter((status) => status !== 'submitted'))('does not hold its pet again once it is %s', async (status) =>
    expect(await outcomeOf(withStatus(status))).toEqual({ commands: [], result: null }),
  );
});

/** Proves contract 36.3: the domain process may reject an application before the request holds the pet. */
describe('an adoption application that is rejected during its request', () => {
  it('is answered as rejected if an order got the pet', async () =>
    expect(await outcomeOf(rejectedFor('pet_not_available'))).toEqual({ commands: [], result: { rejected: 'pet_not_available' } }));

  it('is answered as rejected by the limit if too many applications hold the pet', async () => {
    const open = Array.from({ length: MAX_APPLICATIONS }, (_, nth) => `other-${nth}` as AdoptionId);
    expect((await outcomeOf(rejectedFor('pet_not_available'), { open })).result).toEqual({ rejected: 'too_many_applications' });
  });

  it('is answered as submitted if it held the pet until another application got it', async () => {
    const outcome = await outcomeOf(rejectedFor('pet_not_available'), { lost: [application.adoptionId] });
    expect(outcome).toEqual({ commands: [], result: null });
  });

  it.each(['declined', 'pet_adopted'] as const)('is answered as submitted if it is rejected as %s', async (reason) =>
    expect(await outcomeOf(rejectedFor(reason))).toEqual({ commands: [], result: null }),
  );
});

/** Proves contract 36.5: an application may end while its hold is appended. */
describe('the hold of a pet', () => {
  it('stays while the application is open', async () =>
    expect((await outcomeOf(withStatus('submitted'), { step: freePetIfEnded })).commands).toEqual([]));

  it.each(ADOPTION_STATUSES.filter((status) => status !== 'submitted'))('ends if the application is %s', async (status) =>
    expect((await outcomeOf(withStatus(status), { step: freePetIfEnded })).commands).toEqual([
      { type: 'FreePetFromAdoption', data: application },
    ]),
  );
});
