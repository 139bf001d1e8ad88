// Does the walk of README.md with a client of @hey-api/openapi-ts.
import { createOrder, createOrderPayment, createPet, getOrder, listPets, type PaymentSource } from './client';

const [baseUrl, token] = process.argv.slice(2) as [string, string];
const anyone = { baseUrl, throwOnError: true } as const;

const main = async (): Promise<void> => {
  const body = { name: 'Biscuit', species: 'DOG', ageMonths: 14, price: '250.00', currency: 'USD' } as const;
  const { data: pet } = await createPet({ ...anyone, auth: token, body });
  const { data: pets } = await listPets({ ...anyone, query: { species: 'DOG' } });
  const { data: placed } = await createOrder({ ...anyone, body: { petId: pet.id } });
  const path = { id: placed.id };
  const source: PaymentSource = { object: 'card', number: '4242424242424242', expMonth: 12, expYear: 2031 };
  const { data: paid } = await createOrderPayment({ ...anyone, path, body: { amount: '250.00', currency: 'USD', source } });
  let order = placed;
  for (const until = Date.now() + 30_000; order.status !== 'approved' && Date.now() < until;)
    order = (await getOrder({ ...anyone, path })).data;
  const last4 = paid.source.object === 'card' ? paid.source.last4 : null;
  console.log(JSON.stringify({ listed: pets.data.map(({ name }) => name), last4, status: order.status }));
};

void main();
