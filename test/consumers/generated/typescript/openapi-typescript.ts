// Does the walk of README.md with fetch and the types of openapi-typescript.
import type { components, paths } from './client';

type Schemas = components['schemas'];
type Posts = { [P in keyof paths]: paths[P]['post'] extends { requestBody: { content: { 'application/json': infer B } } } ? B : never };

const [url, token] = process.argv.slice(2) as [string, string];

const send = async <T>(path: string, init: RequestInit = {}): Promise<T> => {
  const response = await fetch(url + path, { ...init, headers: { ...init.headers, 'content-type': 'application/json' } });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
};
const post = <T, P extends keyof Posts>(path: string, _: P, body: Posts[P], headers = {}): Promise<T> =>
  send<T>(path, { method: 'POST', body: JSON.stringify(body), headers });

const main = async (): Promise<void> => {
  const request: Schemas['PetRequest'] = { name: 'Biscuit', species: 'DOG', ageMonths: 14, price: '250.00', currency: 'USD' };
  const pet = await post<Schemas['Pet'], '/v1/pets'>('/v1/pets', '/v1/pets', request, { authorization: `Bearer ${token}` });
  const pets = await send<Schemas['PetCollection']>('/v1/pets?species=DOG');
  const placed = await post<Schemas['Order'], '/v1/orders'>('/v1/orders', '/v1/orders', { petId: pet.id });
  const path = `/v1/orders/${placed.id}`;
  const source: Schemas['PaymentSource'] = { object: 'card', number: '4242424242424242', expMonth: 12, expYear: 2031 };
  const payment: Schemas['PaymentRequest'] = { amount: '250.00', currency: 'USD', source };
  const paid = await post<Schemas['Payment'], '/v1/orders/{id}/payment'>(`${path}/payment`, '/v1/orders/{id}/payment', payment);
  let order = placed;
  for (const until = Date.now() + 30_000; order.status !== 'approved' && Date.now() < until;) order = await send<Schemas['Order']>(path);
  const last4 = paid.source.object === 'card' ? paid.source.last4 : null;
  console.log(JSON.stringify({ listed: pets.data.map(({ name }) => name), last4, status: order.status }));
};

void main();
