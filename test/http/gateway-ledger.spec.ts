import { afterAll, describe, expect } from '@jest/globals';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { eventually } from '../eventually.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { itOnOwnPetstore as it, startOwnPetstore } from '../servers/test-petstore.js';
import { stopByClock } from '../stop-by-clock.js';
import { expectProblem } from './problems.js';
import { card, CARDS, openShop } from './shop.js';

afterAll(removeFolders);

/** Proves contract 13.10, contract 15.4 and contract 15.9. */
describe('the gateway’s ledger', () => {
  it('has no charge while a payment is processing; meanwhile another payment returns 409', async () => {
    const clock = manualClock();
    const own = await startOwnPetstore({ DATA_DIR: newFolder() }, { clock });
    try {
      const ownShop = await openShop(own);
      const order = await ownShop.placeOrder((await ownShop.listPet()).id);
      expect((await ownShop.pay(order.id, card(CARDS.slow))).status).toBe(201);
      expectProblem(await ownShop.pay(order.id), 409, 'conflict');
      expect((await ownShop.request('GET', `/v1/orders/${order.id}/payment`)).json).toMatchObject({ status: 'processing' });
      expect(own.charges()).toEqual([]);
      // The time at which the gateway starts the slow charge is unknown, so the clock advances in steps until the charge is done.
      await eventually('the order to be approved', async () => {
        clock.advance(1_000);
        return (await ownShop.request<{ status: string }>('GET', `/v1/orders/${order.id}`)).json.status === 'approved';
      });
      expect(own.charges()).toHaveLength(1);
    } finally {
      await stopByClock(clock, own);
    }
  });

  it('has one charge for a sale, and its refund after the order is deleted', async () => {
    const own = await startOwnPetstore({ DATA_DIR: newFolder() });
    try {
      const ownShop = await openShop(own);
      const { order } = await ownShop.sell();
      expect(own.charges()).toMatchObject([{ amount: '250.00', currency: 'USD', outcome: 'succeeded', refundedAt: null }]);
      expect((await ownShop.request('DELETE', `/v1/orders/${order.id}`)).status).toBe(204);
      await eventually('the refund', () => own.charges()[0]?.refundedAt);
      expect(own.charges()).toHaveLength(1);
    } finally {
      await own.stop();
    }
  });

  it('has no charge and no refund for an unpaid order', async () => {
    const own = await startOwnPetstore({ DATA_DIR: newFolder() });
    try {
      const ownShop = await openShop(own);
      const pet = await ownShop.listPet();
      const order = await ownShop.placeOrder(pet.id);
      await ownShop.request('DELETE', `/v1/orders/${order.id}`);
      await ownShop.petBecomes(pet.id, 'AVAILABLE');
      expect(own.charges()).toEqual([]);
    } finally {
      await own.stop();
    }
  });
});
