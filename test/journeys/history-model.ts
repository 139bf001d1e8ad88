/**
 * A model of what the interface shows of a resource after each of its events. It shares no code with the domain and
 * the projections, but is written from contract 12.1, 13.1, 15.5, 15.8 and 30.1.
 */

/** Returns a random number from 0 to 1, excluding 1. */
export type Random = () => number;

/** The members of a resource as the interface shows it. */
export type Shown = Readonly<Record<string, unknown>>;

/** An event. `state` is what the interface shows after it, or null if the resource then does not exist. */
export type ModelStep = { readonly type: string; readonly data: Shown; readonly time: string; readonly state: Shown | null };

/** A kind of resource: its first event, and the events that may follow. */
export type ModelKind = {
  readonly first: (random: Random, own: Own) => Omit<ModelStep, 'time'>;
  readonly next: (random: Random, state: Shown | null, own: Own) => Omit<ModelStep, 'time'>;
  /** The paths of the personal values in a state. */
  readonly personal: readonly string[];
};

/** The id and the tenant of a resource, and the time of one of its events. */
export type Own = { readonly id: string; readonly tenant: string; readonly time: string };

/** Returns a random one of the values. */
export const pick = <T>(random: Random, values: readonly T[]): T => values[Math.floor(random() * values.length)];

/** Returns a random selection of the members. Each is included with the given probability. */
const some = (random: Random, members: Shown, probability = 0.5): Shown =>
  Object.fromEntries(Object.entries(members).filter(() => random() < probability));

const word = (random: Random): string => pick(random, ['Luna', 'Rex', 'Zoë', '猫', 'O’Neil', 'x'.repeat(40), '"quoted"', '$sealed']);
const PET_STATUSES = ['AVAILABLE', 'PENDING', 'ADOPTED', 'NOT_AVAILABLE'];
const HOLDER = { kind: 'order', id: 'o1' };
const flags = (random: Random): Shown =>
  some(random, {
    spayedNeutered: random() < 0.5,
    vaccinated: random() < 0.5,
    microchipped: true,
    specialNeeds: false,
    healthNotes: 'well',
  });

const details = (random: Random): Shown => ({
  name: word(random),
  species: pick(random, ['DOG', 'CAT', 'BIRD']),
  ageMonths: Math.floor(random() * 200),
  ...some(random, {
    breed: word(random),
    size: pick(random, ['SMALL', 'LARGE']),
    color: word(random),
    gender: 'FEMALE',
    goodWithKids: random() < 0.5,
    description: word(random),
    photos: ['https://pets.example.com/1.jpg', 'https://pets.example.com/2.jpg'].slice(0, 1 + Math.floor(random() * 2)),
    medicalInfo: flags(random),
  }),
  ...(random() < 0.5 && { price: `${Math.floor(random() * 1000)}.00`, currency: 'EUR' }),
});

const tenantId = ({ tenant }: Own): Shown => (tenant === 'shared' ? {} : { tenantId: tenant });

const pet: ModelKind = {
  personal: [],
  first: (random, own) => {
    const [given, status] = [details(random), pick(random, PET_STATUSES)];
    const state = { id: own.id, ...given, status, createdAt: own.time, updatedAt: own.time, ...tenantId(own) };
    return { type: 'PetListed', data: { details: given, status }, state };
  },
  next: (random, state, own) => {
    const becomes = (type: string, data: Shown, status: string) => ({
      type,
      data,
      state: state && { ...state, status, updatedAt: own.time },
    });
    const to = pick(random, PET_STATUSES);
    switch (Math.floor(random() * 11)) {
      case 0:
      case 1:
      case 2: {
        const given = details(random);
        if (!state) return { type: 'PetDetailsRevised', data: { details: given }, state };
        const { id, status, createdAt } = state;
        const revised = { id, ...given, status, createdAt, updatedAt: own.time, ...tenantId(own) };
        return { type: 'PetDetailsRevised', data: { details: given }, state: revised };
      }
      case 3:
      case 4:
        return becomes('PetReserved', { holder: HOLDER, quantity: 1 }, 'PENDING');
      case 5:
      case 6:
        return becomes('PetReleased', { holder: HOLDER, from: 'PENDING', to }, to);
      case 7:
        return becomes('PetAdopted', { holder: HOLDER }, 'ADOPTED');
      case 8:
        return { type: 'PetRetired', data: { status: to }, state: null };
      default:
        return becomes('PetStatusSet', { from: 'AVAILABLE', to, reason: 'requested' }, to);
    }
  },
};

const source = (random: Random): Shown =>
  random() < 0.5
    ? {
        object: 'card',
        number: '************4242',
        brand: 'visa',
        last4: '4242',
        expMonth: 12,
        expYear: 2031,
        ...some(random, { name: word(random), addressLine1: word(random), addressCity: word(random), addressPostCode: 'N1' }),
      }
    : {
        object: 'bank_account',
        number: '****6789',
        ...some(random, { name: word(random), sortCode: '000000', accountType: 'individual', bankName: word(random), country: 'GB' }),
      };

const order: ModelKind = {
  personal: [],
  first: (random, { id, time }) => {
    const quantity = 1 + Math.floor(random() * 9);
    const data = { petId: 'p1', quantity, ...some(random, { userId: word(random), shipDate: '2026-02-03' }) };
    const due = { amountDue: `${9 * quantity}.00`, currency: 'EUR' };
    return {
      type: 'OrderPlaced',
      data: { ...data, unitPrice: '9.00', currency: 'EUR' },
      state: { id, ...data, status: 'placed', complete: false, ...due, createdAt: time, updatedAt: time },
    };
  },
  next: (random, state, { time }) => {
    const same = (type: string, data: Shown) => ({ type, data, state });
    const becomes = (type: string, data: Shown, changes: Shown) => ({
      type,
      data,
      state: state && { ...state, ...changes, updatedAt: time },
    });
    const status = (name: string): Shown => ({ status: name, complete: name === 'delivered' });
    const paid = { petId: 'p1', paymentId: 'y1' };
    const terms = { paymentId: 'y1', amount: '9.00', currency: 'EUR', reference: 'r' };
    switch (Math.floor(random() * 10)) {
      case 0:
        return becomes('OrderPaymentStarted', { ...terms, source: source(random) }, { paymentStatus: 'processing' });
      case 1:
        return becomes('OrderPaymentFailed', { paymentId: 'y1', reason: 'declined' }, { paymentStatus: 'failed' });
      case 2:
        return becomes('OrderApproved', paid, { ...status('approved'), paymentStatus: 'succeeded' });
      case 8:
        return becomes('OrderPaymentRefunded', { paymentId: 'y1' }, { paymentStatus: 'refunded' });
      case 3: {
        const shipDate = pick(random, ['2026-03-04', '2026-05-06']);
        return becomes('OrderShipped', { shipDate }, { shipDate, ...status('shipped') });
      }
      case 4:
        return becomes('OrderDelivered', { petId: 'p1' }, status('delivered'));
      case 5:
        return becomes('OrderCancelled', { petId: 'p1', reason: 'unpaid' }, status('cancelled'));
      case 6:
        return { type: 'OrderRemoved', data: { petId: 'p1', status: 'placed' }, state: null };
      case 7:
        return same('OrderCallbackEnded', { requestId: 'q1', outcome: 'delivered' });
      default:
        return same('OrderCallbackRequested', {
          requestId: 'q1',
          amount: '9.00',
          currency: 'EUR',
          timestamp: '2026-01-02T03:04:05Z',
          callbackUrl: 'https://shop.example.com/called',
        });
    }
  },
};

const payment: ModelKind = {
  personal: ['source.name', 'source.addressLine1', 'source.addressCity', 'source.addressPostCode', 'source.sortCode', 'source.bankName'],
  first: (random, { id }) => {
    const shown = { amount: '9.00', currency: 'EUR', source: source(random) };
    return { type: 'PaymentRequested', data: { ...shown, orderId: 'o1', reference: 'r' }, state: { id, ...shown, status: 'processing' } };
  },
  next: (random, state) => {
    const orderId = 'o1';
    const reason = pick(random, ['declined', 'insufficient_funds']);
    const becomes = (type: string, data: Shown, changes: Shown) => ({ type, data, state: state && { ...state, ...changes } });
    switch (Math.floor(random() * 3)) {
      case 0:
        return becomes('PaymentSucceeded', { orderId }, { status: 'succeeded' });
      case 1:
        return becomes('PaymentFailed', { orderId, reason }, { status: 'failed', failureReason: reason });
      default:
        return becomes('PaymentRefunded', { orderId }, {});
    }
  },
};

const DIGESTS = { usernameDigest: 'u', emailDigest: 'e' };
const profile = (random: Random): Shown => ({
  username: word(random),
  email: 'ann@example.com',
  ...some(random, { firstName: word(random), lastName: word(random), phone: '+14155550123' }),
});

const user: ModelKind = {
  personal: ['username', 'email', 'firstName', 'lastName', 'phone'],
  first: (random, { id, time }) => {
    const given = profile(random);
    return { type: 'UserRegistered', data: { ...given, ...DIGESTS }, state: { id, ...given, createdAt: time, updatedAt: time } };
  },
  next: (random, state, { time }) => {
    const type = pick(random, ['UserStaffGranted', 'UserStaffRevoked', 'UserDisabled', 'UserEnabled', 'UserPasswordChanged']);
    switch (Math.floor(random() * 6)) {
      case 0:
      case 1: {
        const given = profile(random);
        const revised = state && { id: state['id'], ...given, createdAt: state['createdAt'], updatedAt: time };
        return { type: 'UserRevised', data: { ...given, ...DIGESTS }, state: revised };
      }
      case 2:
        return { type: 'UserErased', data: DIGESTS, state: null };
      case 3:
        return { type: 'UserClaimsLapsed', data: {}, state };
      default: {
        const data = type === 'UserPasswordChanged' ? { credentialId: 'c1' } : {};
        return { type, data, state: state && { ...state, updatedAt: time } };
      }
    }
  },
};

/** The kinds of resources by the category of their streams. */
export const KINDS = { pet, order, payment, user } satisfies Readonly<Record<string, ModelKind>>;
