// Does the walk of the classic variant with a client that openapi-generator made for fetch.
import { Configuration, PetApi, StoreApi } from './client';

const [url, token] = process.argv.slice(2) as [string, string];
const basePath = `${url}/api/v3`;
const anyone = new Configuration({ basePath });
const staff = new Configuration({ basePath, accessToken: token });

const main = async (): Promise<void> => {
  const pet = await new PetApi(staff).addPet({ petRequest: { name: 'Biscuit' } });
  const found = await new PetApi(anyone).findPetsByStatus({ status: ['available'] });
  const placed = await new StoreApi(anyone).placeOrder({ orderRequest: { petId: pet.id } });
  const order = await new StoreApi(staff).getOrderById({ orderId: placed.id });
  console.log(JSON.stringify({ found: found.some(({ id }) => id === pet.id), status: order.status }));
};

void main();
