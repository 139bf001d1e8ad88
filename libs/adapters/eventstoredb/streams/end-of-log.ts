import type { Feed } from './feed.js';

/**
 * Tells a feed when it has all that the log holds. Servers before 23.10 do not: there, the log's last event having arrived
 * says so, when it still is the last one.
 */
export const sayWhenAtTheEnd = async (
  lastPosition: () => Promise<number>,
  feed: Pick<Feed, 'arrival' | 'reachedTheEnd'>,
): Promise<void> => {
  try {
    for (let before = -1; ;) {
      const last = await lastPosition();
      if ((await feed.arrival(last)) === 'needless') return;
      if (last === before) return feed.reachedTheEnd();
      before = last;
    }
  } catch {
    // The server cannot be read: the feed fails as well, and both begin anew.
  }
};
