import { startServiceWithTwoApis, type TestPetstore } from '../servers/test-petstore.js';
import type { HttpResponse } from '../servers/client.js';
import { openShop, type Shop } from './shop.js';

/** A shop for concurrent requests. In the distributed profile two api processes serve it, in the embedded profile one. */
export type RacingShop = {
  readonly shop: Shop;
  /** The addresses of the two processes. In the embedded profile, both addresses are the same. */
  readonly urls: readonly [string, string];
  /** A token of the shop's staff. */
  readonly staff: string;
  /** Sends that number of concurrent requests, alternately to the two processes. */
  race<T>(count: number, send: (shop: Shop, nth: number) => Promise<T>): Promise<readonly T[]>;
  /** Returns the number of requests that `race` has sent. */
  sent(): number;
  close(): Promise<void>;
};

/** Opens a shop for concurrent requests. */
export const openRacingShop = async (): Promise<RacingShop> => racingShopOn(await startServiceWithTwoApis());

/** Opens a shop on two apis of a service. */
export const racingShopOn = async (services: readonly [TestPetstore, TestPetstore]): Promise<RacingShop> => {
  const shop = await openShop(services[0]);
  const other = await openShop(services[1], shop.tenant);
  let sent = 0;
  return {
    shop,
    urls: [services[0].url, services[1].url],
    staff: shop.staff,
    race(count, send) {
      sent += count;
      return Promise.all(Array.from({ length: count }, (_, nth) => send(nth % 2 === 0 ? shop : other, nth)));
    },
    sent: () => sent,
    async close() {
      for (const service of new Set(services)) await service.stop();
    },
  };
};

/** Counts the responses by status. */
export const tally = (responses: readonly Pick<HttpResponse, 'status'>[]): Readonly<Record<string, number>> =>
  Object.fromEntries([...Map.groupBy(responses, ({ status }) => status)].map(([status, { length }]) => [status, length]));

/** Counts the different responses with a status. */
export const countDifferentTexts = (responses: readonly HttpResponse[], status: number): number =>
  new Set(responses.filter((response) => response.status === status).map(({ text }) => text)).size;
