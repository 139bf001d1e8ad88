/** Returns what happened in words, from the type of an event: `OrderPaymentStarted` becomes "Order payment started". */
export const eventWords = (type: string): string => {
  const words = type.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2');
  const [first = '', ...rest] = words.split(' ');
  return [first, ...rest.map((word) => (/^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()))].join(' ');
};

/** Returns a field or a kind in words: `medicalInfo.vaccinated` becomes "medical info: vaccinated". */
export const fieldWords = (field: string): string =>
  field
    .split('.')
    .map((part) =>
      part
        .replaceAll('-', ' ')
        .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
        .toLowerCase(),
    )
    .join(': ');

/** The categories of streams whose history auditors read, each with its resource below `/v1/audit`, or null without past states. */
const CATEGORIES: Readonly<Record<string, string | null>> = {
  pet: 'pets',
  order: 'orders',
  payment: 'payments',
  adoption: 'adoptions',
  user: 'users',
  webhook: null,
};

const parts = (stream: string): readonly [string, string] => {
  const dash = stream.indexOf('-');
  return dash === -1 ? [stream, ''] : [stream.slice(0, dash), stream.slice(dash + 1)];
};

/** Returns whether a stream has a page: only resources have a history for auditors. */
export const hasStory = (stream: string): boolean => Object.hasOwn(CATEGORIES, parts(stream)[0]);

/** Returns the path of the past states of a stream below `/v1/audit`, or null if it has none. */
export const statesPath = (stream: string): string | null => {
  const [category, id] = parts(stream);
  const resource = Object.hasOwn(CATEGORIES, category) ? CATEGORIES[category] : null;
  return resource ? `${resource}/${encodeURIComponent(id)}` : null;
};

/** Returns a short name of a stream or id. The last characters of a UUID differ the most. Claims of names have a digest in place of it. */
export const shortName = (name: string): string =>
  name
    .replace(/[0-9a-f]{56}([0-9a-f]{8})$/, '…$1')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-([0-9a-f]{4})([0-9a-f]{8})/, '…$2');

/** What each kind of stuck work means (contract 43.9). */
const STUCK: Readonly<Record<string, string>> = {
  'order-not-placed': 'A pet is reserved for an order that is not placed',
  'payment-not-requested': 'The order has started a payment, which is not requested',
  'payment-processing': 'The payment has no outcome',
  'payment-failure-not-recorded': 'The payment has failed, and its order still waits for it',
  'order-not-approved': 'The order is paid and not approved',
  'pet-not-adopted': 'The order is approved and its pet not adopted',
  'order-not-expired': 'The order is unpaid and not cancelled',
  'pet-not-released': 'The order is cancelled and still holds its pet',
  'payment-not-refunded': 'The order is cancelled and its payment not refunded',
  'application-without-hold': 'The application is open and does not hold its pet',
  'application-not-expired': 'The application is undecided and not expired',
  'approval-without-pet': 'The approval of the application has begun, and not ended',
  'pet-not-freed': 'The application has ended and still holds its pet',
  'delivery-overdue': 'The next attempt of a delivery is overdue',
  'delivery-given-up': 'The receiver has accepted no attempt of a delivery, and no other follows',
  'claim-not-lapsed': 'A name is claimed by an account that does not use it',
  'users-not-settled': 'A list of users is neither complete nor undone',
};

/** Returns what a kind of stuck work means. A newer service may send kinds that this page does not know. */
export const stuckWords = (kind: string): string => (Object.hasOwn(STUCK, kind) ? (STUCK[kind] ?? '') : fieldWords(kind));
