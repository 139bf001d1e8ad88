// Does the walk of README.md with a client that openapi-generator made for fetch.
import { Configuration, OrdersApi, PaymentsApi, PetsApi, type PaymentSource } from './client';

const [basePath, token] = process.argv.slice(2) as [string, string];
const anyone = new Configuration({ basePath });
const staff = new Configuration({ basePath, accessToken: token });

const main = async (): Promise<void> => {
  const petRequest = { name: 'Biscuit', species: 'DOG', ageMonths: 14, price: '250.00', currency: 'USD' } as const;
  const pet = await new PetsApi(staff).createPet({ petRequest });
  const pets = await new PetsApi(anyone).listPets({ species: 'DOG' });
  const placed = await new OrdersApi(anyone).createOrder({ orderRequest: { petId: pet.id } });
  const source: PaymentSource = { object: 'card', number: '4242424242424242', expMonth: 12, expYear: 2031 };
  const paymentRequest = { amount: '250.00', currency: 'USD', source } as const;
  const paid = await new PaymentsApi(anyone).createOrderPayment({ id: placed.id, paymentRequest });
  let order = placed;
  for (const until = Date.now() + 30_000; order.status !== 'approved' && Date.now() < until;)
    order = await new OrdersApi(anyone).getOrder({ id: placed.id });
  const last4 = paid.source.object === 'card' ? paid.source.last4 : null;
  console.log(JSON.stringify({ listed: pets.data.map(({ name }) => name), last4, status: order.status }));
};

void main();
