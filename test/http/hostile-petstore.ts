import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { openShop, type Shop } from './shop.js';

/** A service for hostile requests, with a pet and an unpaid order in a tenant of its own. */
type HostileStore = { readonly service: TestPetstore; readonly shop: Shop; readonly petId: string; readonly orderId: string };

/** Starts a service for hostile requests. The caller stops it. */
export const openHostileStore = async (): Promise<HostileStore> => {
  const service = await startTestPetstore();
  const shop = await openShop(service);
  const { id: petId } = await shop.listPet();
  const { id: orderId } = await shop.placeOrder((await shop.listPet()).id);
  return { service, shop, petId, orderId };
};
