import { startStore, type TestStore } from '../servers/store.js';
import { openShop, type Shop } from './shop.js';

/** A store to send hostile requests to, with a pet and an unpaid order in a tenant of its own. */
type HostileStore = { readonly store: TestStore; readonly shop: Shop; readonly petId: string; readonly orderId: string };

/** Starts one; the caller stops its store. */
export const openHostileStore = async (): Promise<HostileStore> => {
  const store = await startStore();
  const shop = await openShop(store);
  const { id: petId } = await shop.listPet();
  const { id: orderId } = await shop.placeOrder((await shop.listPet()).id);
  return { store, shop, petId, orderId };
};
