// Does the walk of README.md with a client of orval. It calls fetch with a path, so the address comes in front.
import { createOrder, createOrderPayment, createPet, getOrder, listPets, type PaymentSource } from './client';

const [url, token] = process.argv.slice(2) as [string, string];
const plainFetch = globalThis.fetch;
globalThis.fetch = (path, options) => plainFetch(`${url}${String(path)}`, options);

/** Returns the data of a response with this status. */
const some = <R extends { readonly status: number; readonly data: unknown }, S extends R['status']>(
  response: R,
  status: S,
): Extract<R, { readonly status: S }>['data'] => {
  if (response.status !== status) throw new Error(JSON.stringify(response.data));
  return (response as Extract<R, { readonly status: S }>).data;
};

const main = async (): Promise<void> => {
  const request = { name: 'Biscuit', species: 'DOG', ageMonths: 14, price: '250.00', currency: 'USD' } as const;
  const pet = some(await createPet(request, { headers: { authorization: `Bearer ${token}` } }), 201);
  const pets = some(await listPets({ species: 'DOG' }), 200);
  const placed = some(await createOrder({ petId: pet.id }), 201);
  const source: PaymentSource = { object: 'card', number: '4242424242424242', expMonth: 12, expYear: 2031 };
  const paid = some(await createOrderPayment(placed.id, { amount: '250.00', currency: 'USD', source }), 201);
  let order = placed;
  for (const until = Date.now() + 30_000; order.status !== 'approved' && Date.now() < until;) order = some(await getOrder(placed.id), 200);
  const last4 = paid.source.object === 'card' ? paid.source.last4 : null;
  console.log(JSON.stringify({ listed: pets.data.map(({ name }) => name), last4, status: order.status }));
};

void main();
