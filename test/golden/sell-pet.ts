import { eventually } from '../eventually.js';
import type { Call } from '../servers/calling.js';

/** Orders a pet and pays, and waits until the pet is adopted. */
export const sellPet = async (call: Call, petId: string): Promise<void> => {
  const order = await call('POST', '/v1/orders', { body: { petId } });
  if (order.status !== 201) throw new Error(`the order was rejected: ${order.text}`);
  const body = { amount: '1.00', currency: 'USD', source: { object: 'bank_account', number: '000123456789' } };
  await call('POST', `/v1/orders/${String(order.json['id'])}/payment`, { body });
  await eventually('the adoption', async () => (await call('GET', `/v1/pets/${petId}`)).json['status'] === 'ADOPTED');
};
