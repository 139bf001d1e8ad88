import { startStore, type TestStore } from '../servers/store.js';
import { openShop, type Shop } from './shop.js';

/** A store for hostile requests, with a pet and an unpaid order in an exclusive tenant. */
type HostileStore = { readonly store: TestStore; readonly shop: Shop; readonly petId: string; readonly orderId: string };

/** Starts a hostile store. The caller stops it. */
export const openHostileStore = async (): Promise<HostileStore> => {
  const store = await startStore();
  const shop = await openShop(store);
  const { id: petId } = await shop.listPet();
  const { id: orderId } = await shop.placeOrder((await shop.listPet()).id);
  return { store, shop, petId, orderId };
};
