import { afterEach, describe, expect } from '@jest/globals';
import { eventually } from '../eventually.js';
import { canariesUnder } from '../servers/canaries.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { openReceiver, type Receiver } from '../servers/receiver.js';
import { itOnOwnPetstore, startOwnPetstore, type OwnPetstore } from '../servers/test-petstore.js';
import { adoptionsIn } from './adoptions.js';
import { openShop } from './shop.js';

let service: OwnPetstore | undefined;
let receiver: Receiver | undefined;
afterEach(async () => {
  await service?.stop();
  await receiver?.close();
  removeFolders();
});

const ADOPTER = { name: 'Zephyrine Quagmire', email: 'zephyrine@quagmire.example', phone: '+3299871240653' };
const MESSAGE = 'Our umbrella stand is empty.';
const CANARIES = [...Object.values(ADOPTER), MESSAGE].map((text) => ({ what: text, text }));

type Delivery = { readonly id: string; readonly status: string; readonly request: { readonly body: { readonly data: object } } };

/** Proves contract 19.5, contract 23.7 and contract 36.8. */
describe('pet.adopted after an application', () => {
  itOnOwnPetstore('names the applicant, stores the name only encrypted, and shows null once the applicant is erased', async () => {
    const dataDir = newFolder();
    service = await startOwnPetstore({ DATA_DIR: dataDir });
    const { received, url } = (receiver = await openReceiver());
    const shop = await openShop(service);
    const adoptions = adoptionsIn(shop);
    const registered = { url: `${url}/hooks`, events: ['pet.adopted'] };
    const webhook = `/v1/webhooks/${(await shop.requestAsStaff<{ id: string }>('POST', '/v1/webhooks', { body: registered })).json.id}`;
    const pet = await shop.listPet();
    const { id } = await adoptions.apply(pet.id, { applicant: ADOPTER, message: MESSAGE });
    await adoptions.decide(id, 'approval');

    const adopterIn = (nth: number): Promise<unknown> =>
      eventually(`delivery ${nth}`, () => {
        const body = received[nth]?.body;
        return body === undefined ? null : (JSON.parse(body) as { data: { pet: object; adopter: object } }).data;
      });
    const adopted = { pet: expect.objectContaining({ id: pet.id, status: 'ADOPTED' }) as unknown };
    expect(await adopterIn(0)).toEqual({ ...adopted, adopter: { adoptionId: id, name: ADOPTER.name, email: ADOPTER.email } });
    const readDelivery = async () => {
      const { json } = await shop.requestAsStaff<{ data: readonly Delivery[] }>('GET', `${webhook}/deliveries`);
      return json.data[0];
    };
    expect((await readDelivery())?.request.body.data).toMatchObject({ adopter: { name: ADOPTER.name } });
    expect(canariesUnder(dataDir, CANARIES)).toEqual([]);
    const delivered = await eventually('the delivered delivery', async () => {
      const found = await readDelivery();
      return found?.status === 'delivered' ? found : null;
    });
    const path = `${webhook}/deliveries/${delivered.id}`;
    const cached = (await shop.requestAsStaff('GET', path)).headers['etag'] ?? '';

    expect((await shop.requestAsStaff('DELETE', `/v1/adoptions/${id}`)).status).toBe(204);
    const erased = { adoptionId: id, name: null, email: null };
    const { status, headers, json: delivery } = await shop.requestAsStaff<Delivery>('GET', path, { headers: { 'if-none-match': cached } });
    // The entity tag has changed, so a cache does not keep its copy with the name (contract 8.1).
    expect([status, headers['etag']]).toEqual([200, cached.replace(/"$/, '.e"')]);
    expect(delivery.request.body.data).toMatchObject({ adopter: erased });
    expect((await shop.requestAsStaff('POST', `${webhook}/deliveries/${delivery.id}/redelivery`)).status).toBe(202);
    expect(await adopterIn(1)).toEqual({ ...adopted, adopter: erased });
  });
});
