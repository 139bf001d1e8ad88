// Does the walk of the classic variant with fetch and the types of openapi-typescript.
import type { components } from './client';

type Schemas = components['schemas'];

const [url, token] = process.argv.slice(2) as [string, string];
const authorization = { authorization: `Bearer ${token}` };

const send = async <T>(path: string, init: RequestInit = {}): Promise<T> => {
  const response = await fetch(`${url}/api/v3${path}`, { ...init, headers: { ...init.headers, 'content-type': 'application/json' } });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
};
const post = <T>(path: string, body: object, headers = {}): Promise<T> =>
  send<T>(path, { method: 'POST', body: JSON.stringify(body), headers });

const main = async (): Promise<void> => {
  const request: Schemas['PetRequest'] = { name: 'Biscuit' };
  const pet = await post<Schemas['Pet']>('/pet', request, authorization);
  const found = await send<readonly Schemas['Pet'][]>('/pet/findByStatus?status=available');
  const orderRequest: Schemas['OrderRequest'] = { petId: pet.id };
  const placed = await post<Schemas['Order']>('/store/order', orderRequest);
  const order = await send<Schemas['Order']>(`/store/order/${placed.id}`, { headers: authorization });
  console.log(JSON.stringify({ found: found.some(({ id }) => id === pet.id), status: order.status }));
};

void main();
