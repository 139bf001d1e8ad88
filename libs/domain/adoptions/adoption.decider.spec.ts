import { describe, expect, it } from '@jest/globals';
import { specification } from '../../eventsourcing/testing/specification.js';
import type { AdoptionId, PetId } from '../ids.js';
import { adoptionDecider, type AdoptionCommand } from './adoption.decider.js';
import type { AdoptionEvent } from './adoption.events.js';

const adoption = specification(adoptionDecider);
const adoptionId = 'adoption-1' as AdoptionId;
const petId = 'pet-1' as PetId;
const details = { petId, userId: 'ann', applicant: { name: 'Ann Lee', email: 'ann@example.com' }, message: 'We have a garden.' };
const TIME = '2026-01-02T03:04:05.000Z';

const submitted = { type: 'AdoptionSubmitted', data: details, meta: { time: TIME } } as const;
const started = { type: 'AdoptionApprovalStarted', data: { petId } } as const;
const approved = { type: 'AdoptionApproved', data: { petId } } as const;
const rejectedFor = (reason: 'declined' | 'pet_adopted' | 'pet_not_available') =>
  ({ type: 'AdoptionRejected', data: { petId, reason } }) as const;
const withdrawn = { type: 'AdoptionWithdrawn', data: { petId } } as const;
const expired = { type: 'AdoptionExpired', data: { petId } } as const;
const erased = { type: 'AdoptionErased', data: {} } as const;

/** The rows of contract 36.4. */
const STATES = {
  submitted: [submitted],
  'being approved': [submitted, started],
  approved: [submitted, started, approved],
  rejected: [submitted, rejectedFor('declined')],
  withdrawn: [submitted, withdrawn],
  expired: [submitted, expired],
} as const;

/** The columns of contract 36.4. */
const COMMANDS = {
  approval: { type: 'StartAdoptionApproval', data: { adoptionId } },
  rejection: { type: 'RejectAdoption', data: { adoptionId, reason: 'declined' } },
  withdrawal: { type: 'WithdrawAdoption', data: { adoptionId } },
  expiry: { type: 'ExpireAdoption', data: { adoptionId, submittedBefore: TIME } },
  'adoption of the pet': { type: 'ApproveAdoption', data: { adoptionId } },
  'another adoption of the pet': { type: 'RejectAdoption', data: { adoptionId, reason: 'pet_adopted' } },
  erasure: { type: 'DeleteAdoption', data: { adoptionId } },
} as const satisfies Readonly<Record<string, AdoptionCommand>>;

type Cell = readonly AdoptionEvent[] | 'adoption_decided';
const NOTHING: Cell = [];
const DECIDED = 'adoption_decided';

/** A cell for each row and column: the events, or the rejection. */
const TABLE: Readonly<Record<keyof typeof STATES, Readonly<Record<keyof typeof COMMANDS, Cell>>>> = {
  submitted: {
    approval: [started],
    rejection: [rejectedFor('declined')],
    withdrawal: [withdrawn],
    expiry: [expired],
    'adoption of the pet': [approved],
    'another adoption of the pet': [rejectedFor('pet_adopted')],
    erasure: [withdrawn, erased],
  },
  'being approved': {
    approval: DECIDED,
    rejection: DECIDED,
    withdrawal: DECIDED,
    expiry: NOTHING,
    'adoption of the pet': [approved],
    'another adoption of the pet': [rejectedFor('pet_adopted')],
    erasure: [erased],
  },
  approved: {
    approval: DECIDED,
    rejection: DECIDED,
    withdrawal: DECIDED,
    expiry: NOTHING,
    'adoption of the pet': NOTHING,
    'another adoption of the pet': DECIDED,
    erasure: [erased],
  },
  rejected: {
    approval: DECIDED,
    rejection: DECIDED,
    withdrawal: DECIDED,
    expiry: NOTHING,
    'adoption of the pet': DECIDED,
    'another adoption of the pet': DECIDED,
    erasure: [erased],
  },
  withdrawn: {
    approval: DECIDED,
    rejection: DECIDED,
    withdrawal: DECIDED,
    expiry: NOTHING,
    'adoption of the pet': DECIDED,
    'another adoption of the pet': DECIDED,
    erasure: [erased],
  },
  expired: {
    approval: DECIDED,
    rejection: DECIDED,
    withdrawal: DECIDED,
    expiry: NOTHING,
    'adoption of the pet': DECIDED,
    'another adoption of the pet': DECIDED,
    erasure: [erased],
  },
};

const stateNames = Object.keys(STATES) as (keyof typeof STATES)[];
const commandNames = Object.keys(COMMANDS) as (keyof typeof COMMANDS)[];

/** Proves contract 36.4. */
describe.each(stateNames)('an application that is %s', (state) => {
  it.each(commandNames)('has the outcome of the table after %s', (command) => {
    const outcome = adoption.given(...STATES[state]).when(COMMANDS[command]);
    const cell = TABLE[state][command];
    if (cell === 'adoption_decided') outcome.thenRejected(cell);
    else outcome.then(...cell);
  });

  it.each(['approval', 'rejection', 'withdrawal', 'erasure'] as const)('is not found after its erasure: %s is rejected', (command) =>
    adoption
      .given(...STATES[state], erased)
      .when(COMMANDS[command])
      .thenRejected('adoption_not_found'),
  );

  it('cannot be submitted again', () =>
    adoption
      .given(...STATES[state])
      .when({ type: 'CreateAdoption', data: { adoptionId, ...details } })
      .thenRejected('adoption_exists'));
});

describe('an application', () => {
  it('is recorded with the pet, the user, the applicant and the message', () =>
    adoption
      .given()
      .when({ type: 'CreateAdoption', data: { adoptionId, ...details } })
      .then({ type: 'AdoptionSubmitted', data: details }));

  it('does not expire before its time', () =>
    adoption
      .given(submitted)
      .when({ type: 'ExpireAdoption', data: { adoptionId, submittedBefore: '2026-01-02T03:04:04.999Z' } })
      .thenNothing());

  it('is rejected if the pet is gone while staff approve it', () =>
    adoption
      .given(submitted, started)
      .when({ type: 'RejectAdoption', data: { adoptionId, reason: 'pet_not_available' } })
      .then(rejectedFor('pet_not_available')));

  it('is still approved if its applicant is erased meanwhile', () =>
    adoption.given(submitted, started, erased).when(COMMANDS['adoption of the pet']).then(approved));

  it.each(commandNames)('does not exist before its submission: %s is rejected', (command) =>
    adoption.given().when(COMMANDS[command]).thenRejected('adoption_not_found'),
  );

  it('keeps no personal data in its state', () =>
    expect(JSON.stringify(adoption.given(submitted).state)).not.toMatch(/Ann|example|garden/));
});
