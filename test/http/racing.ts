import { startStoreWithTwoApis } from '../servers/store.js';
import type { Answer } from '../servers/client.js';
import { openShop, type Shop } from './shop.js';

/** A shop that two api processes serve; one process in the embedded profile. */
export type RacingShop = {
  readonly shop: Shop;
  /** The addresses of the two processes; twice the same one in the embedded profile. */
  readonly urls: readonly [string, string];
  /** A token of the shop's staff. */
  readonly staff: string;
  /** Sends that number of concurrent requests, alternately by the two processes. */
  race<T>(count: number, send: (shop: Shop, nth: number) => Promise<T>): Promise<readonly T[]>;
  /** Returns the number of requests that `race` has sent. */
  sent(): number;
  close(): Promise<void>;
};

/** Opens a shop for concurrent requests. */
export const openRacingShop = async (): Promise<RacingShop> => {
  const stores = await startStoreWithTwoApis();
  const shop = await openShop(stores[0]);
  const other = await openShop(stores[1], shop.tenant);
  let sent = 0;
  return {
    shop,
    urls: [stores[0].url, stores[1].url],
    staff: shop.staff,
    race(count, send) {
      sent += count;
      return Promise.all(Array.from({ length: count }, (_, nth) => send(nth % 2 === 0 ? shop : other, nth)));
    },
    sent: () => sent,
    async close() {
      for (const store of new Set(stores)) await store.stop();
    },
  };
};

/** Counts the responses by status. */
export const tally = (answers: readonly Pick<Answer, 'status'>[]): Readonly<Record<string, number>> =>
  Object.fromEntries([...Map.groupBy(answers, ({ status }) => status)].map(([status, { length }]) => [status, length]));

/** Counts the different responses with a status. */
export const textsOf = (answers: readonly Answer[], status: number): number =>
  new Set(answers.filter((answer) => answer.status === status).map(({ text }) => text)).size;
