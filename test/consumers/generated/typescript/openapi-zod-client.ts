// Does the walk of README.md with a client of openapi-zod-client, which validates every request and response.
import { createApiClient } from './client';

const [url, token] = process.argv.slice(2) as [string, string];
const anyone = createApiClient(url);

const main = async (): Promise<void> => {
  const request = { name: 'Biscuit', species: 'DOG', ageMonths: 14, price: '250.00', currency: 'USD' } as const;
  const pet = await anyone.createPet(request, { headers: { Authorization: `Bearer ${token}` } });
  const pets = await anyone.listPets({ queries: { species: 'DOG' } });
  const placed = await anyone.createOrder({ petId: pet.id });
  const params = { id: placed.id };
  const source = { object: 'card', number: '4242424242424242', expMonth: 12, expYear: 2031 } as const;
  const paid = await anyone.createOrderPayment({ amount: '250.00', currency: 'USD', source }, { params });
  let order = placed;
  for (const until = Date.now() + 30_000; order.status !== 'approved' && Date.now() < until;) order = await anyone.getOrder({ params });
  const last4 = paid.source.object === 'card' ? paid.source.last4 : null;
  console.log(JSON.stringify({ listed: pets.data.map(({ name }) => name), last4, status: order.status }));
};

void main();
