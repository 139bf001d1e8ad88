import { startStoreTwice } from '../servers/store.js';
import type { Answer } from '../servers/client.js';
import { openShop, type Shop } from './shop.js';

/** One shop, asked by two apis where the store has several processes. */
export type Racing = {
  readonly shop: Shop;
  /** The addresses of the two; the same one twice where there is one. */
  readonly urls: readonly [string, string];
  /** A token of the shop's staff. */
  readonly staff: string;
  /** Asks so often at once, by one api and the other in turn. */
  race<T>(count: number, ask: (shop: Shop, nth: number) => Promise<T>): Promise<readonly T[]>;
  /** How many requests have raced. */
  raced(): number;
  close(): Promise<void>;
};

/** Opens a shop for requests to race in. */
export const openRacing = async (): Promise<Racing> => {
  const stores = await startStoreTwice();
  const shop = await openShop(stores[0]);
  const other = await openShop(stores[1], shop.tenant);
  let raced = 0;
  return {
    shop,
    urls: [stores[0].url, stores[1].url],
    staff: shop.staff,
    race(count, ask) {
      raced += count;
      return Promise.all(Array.from({ length: count }, (_, nth) => ask(nth % 2 === 0 ? shop : other, nth)));
    },
    raced: () => raced,
    async close() {
      for (const store of new Set(stores)) await store.stop();
    },
  };
};

/** How many answers have each status. */
export const tally = (answers: readonly Pick<Answer, 'status'>[]): Readonly<Record<string, number>> =>
  Object.fromEntries([...Map.groupBy(answers, ({ status }) => status)].map(([status, { length }]) => [status, length]));

/** How many different answers with that status there are. */
export const textsOf = (answers: readonly Answer[], status: number): number =>
  new Set(answers.filter((answer) => answer.status === status).map(({ text }) => text)).size;
