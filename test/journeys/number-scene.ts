import { caller, type Call } from '../servers/calling.js';

/** The tenant of the scene. No other test uses it, because the pets and orders of other tests would change the integer ids. */
const TENANT = '6f1c0a52-7d0e-4b5a-9c3e-2f8d1b7a4e61';
const PETS = '/api/v3/pet/findByStatus?status=available,pending,sold';
const USERNAMES = ['numbers-uno', 'numbers-due'] as const;
const userOf = (username: string) => ({ username, email: `${username}@example.com`, password: 'correct horse battery' });
const PET = { name: 'Uno', species: 'DOG', ageMonths: 3 };
/** The orders of the scene are searched at these integer ids. The scene uses fewer. */
const NUMBERS = Array.from({ length: 10 }, (_, index) => index + 1);

type NumberedPet = { readonly id: number; readonly name: string };

/** Returns a function that sends requests in the tenant of the scene. It rejects if one fails. */
const inTenant =
  (url: string, token: string) =>
  async <T>(...[method, path, options]: Parameters<Call>): Promise<T> => {
    const { status, text, json } = await caller(url, token)(method, path, { tenant: TENANT, ...options });
    if (status >= 300) throw new Error(`${path} returned ${status}: ${text}`);
    return json as T;
  };

/** Adds a user, a pet and an order of this pet through `/v1`, and others through the classic interface. */
export const addNumbered = async (url: string, token: string): Promise<void> => {
  const send = inTenant(url, token);
  const { id: petId } = await send<{ id: string }>('POST', '/v1/pets', { body: PET });
  await send('POST', '/v1/orders', { body: { petId } });
  await send('POST', '/v1/users', { body: userOf(USERNAMES[0]) });
  const { id } = await send<NumberedPet>('POST', '/api/v3/pet', { body: { name: 'Due' } });
  await send('POST', '/api/v3/store/order', { body: { petId: id } });
  await send('POST', '/api/v3/user', { body: userOf(USERNAMES[1]) });
};

/** What a service shows: integer ids, those of pets and orders by the names of the pets, and the resources of `/v1`. */
type Numbered = {
  readonly pets: Readonly<Record<string, number>>;
  readonly orders: Readonly<Record<string, number>>;
  readonly users: readonly number[];
  readonly inV1: readonly unknown[];
};

/** Returns the integer ids of the users, the pets and their orders. Also returns how `/v1` shows pets and orders. */
export const observeNumbers = async (url: string, token: string): Promise<Numbered> => {
  const send = inTenant(url, token);
  const pets = await send<readonly NumberedPet[]>('GET', PETS);
  const found = await Promise.all(NUMBERS.map((number) => caller(url, token)('GET', `/api/v3/store/order/${number}`, { tenant: TENANT })));
  const orders = found.filter(({ status }) => status === 200).map(({ json }) => json as { readonly id: number; readonly petId: number });
  const users = await Promise.all(USERNAMES.map((username) => send<{ readonly id: number }>('GET', `/api/v3/user/${username}`)));
  const nameOf = (petId: number): string => pets.find(({ id }) => id === petId)?.name ?? 'no pet';
  return {
    pets: Object.fromEntries(pets.map(({ id, name }) => [name, id])),
    orders: Object.fromEntries(orders.map(({ id, petId }) => [nameOf(petId), id])),
    users: users.map(({ id }) => id),
    inV1: [(await send<{ data: unknown }>('GET', '/v1/pets?status=ALL')).data, (await send<{ data: unknown }>('GET', '/v1/orders')).data],
  };
};

/** Returns the different integer ids of the scene's two pets, two orders and two users. */
export const numbersOf = ({ pets, orders, users }: Numbered): readonly number[] => [
  ...new Set([pets['Uno'], pets['Due'], orders['Uno'], orders['Due'], ...users].filter((number) => number !== undefined)),
];

/** Adds a pet, and returns its integer id. */
export const nextNumber = async (url: string, token: string): Promise<number> =>
  (await inTenant(url, token)<NumberedPet>('POST', '/api/v3/pet', { body: { name: 'Tre' } })).id;
