// Does the walk of the classic variant with a client of openapi-zod-client, which validates every request and response.
import { createApiClient } from './client';

const [url, token] = process.argv.slice(2) as [string, string];
// Without this option, axios sends `status[]=available`.
const anyone = createApiClient(`${url}/api/v3`, { axiosConfig: { paramsSerializer: { indexes: null } } });
const staff = { headers: { Authorization: `Bearer ${token}` } };

const main = async (): Promise<void> => {
  const pet = await anyone.addPet({ name: 'Biscuit' }, staff);
  const found = await anyone.findPetsByStatus({ queries: { status: ['available'] } });
  const placed = await anyone.placeOrder({ petId: pet.id });
  const order = await anyone.getOrderById({ ...staff, params: { orderId: placed.id } });
  console.log(JSON.stringify({ found: found.some(({ id }) => id === pet.id), status: order.status }));
};

void main();
