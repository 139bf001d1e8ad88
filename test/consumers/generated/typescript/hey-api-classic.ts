// Does the walk of the classic variant with a client of @hey-api/openapi-ts.
import { addPet, findPetsByStatus, getOrderById, placeOrder } from './client';

const [url, token] = process.argv.slice(2) as [string, string];
const anyone = { baseUrl: `${url}/api/v3`, throwOnError: true } as const;

const main = async (): Promise<void> => {
  const { data: pet } = await addPet({ ...anyone, auth: token, body: { name: 'Biscuit' } });
  const { data: found } = await findPetsByStatus({ ...anyone, query: { status: ['available'] } });
  const { data: placed } = await placeOrder({ ...anyone, body: { petId: pet.id } });
  const { data: order } = await getOrderById({ ...anyone, auth: token, path: { orderId: placed.id } });
  console.log(JSON.stringify({ found: found.some(({ id }) => id === pet.id), status: order.status }));
};

void main();
