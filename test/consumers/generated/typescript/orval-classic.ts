// Does the walk of the classic variant with a client of orval. It calls fetch with a path, so the address comes in front.
import { addPet, findPetsByStatus, getOrderById, placeOrder } from './client';

const [url, token] = process.argv.slice(2) as [string, string];
const plainFetch = globalThis.fetch;
globalThis.fetch = (path, options) => plainFetch(`${url}/api/v3${String(path)}`, options);
const staff = { headers: { authorization: `Bearer ${token}` } };

/** Returns the data of a response with this status. */
const some = <R extends { readonly status: number; readonly data: unknown }, S extends R['status']>(
  response: R,
  status: S,
): Extract<R, { readonly status: S }>['data'] => {
  if (response.status !== status) throw new Error(JSON.stringify(response.data));
  return (response as Extract<R, { readonly status: S }>).data;
};

const main = async (): Promise<void> => {
  const pet = some(await addPet({ name: 'Biscuit' }, staff), 200);
  const found = some(await findPetsByStatus({ status: ['available'] }), 200);
  const placed = some(await placeOrder({ petId: pet.id }), 200);
  const order = some(await getOrderById(placed.id, staff), 200);
  console.log(JSON.stringify({ found: found.some(({ id }) => id === pet.id), status: order.status }));
};

void main();
