import { DEADLINES } from '../../deadlines.js';
import type { StoredEvent } from '../../../libs/eventsourcing/ports/event-store.port.js';
import { projections } from '../../../libs/projections/projections.js';
import { eventually } from '../../eventually.js';
import { missingConsequences } from '../consequences.js';
import { replay } from '../replay.js';
import type { ClusterStorage } from './cluster-storage.js';

/** The maximum number of reported lines. */
const MAX_LINES = 10;

/** Returns the first MAX_LINES lines. */
export const firstLines = (lines: readonly string[]): readonly string[] => lines.slice(0, MAX_LINES);

/**
 * Waits until no consequence is missing and every checkpoint is at the end of the log. Returns the log. The work of a killed
 * process continues in another process when the lease has expired.
 */
export const waitUntilSettled = (storage: ClusterStorage, within: number = DEADLINES.slow): Promise<readonly StoredEvent[]> =>
  eventually(
    'all follow-up work to finish',
    async () => {
      const events = await storage.events();
      const missing = missingConsequences(events);
      if (missing.length > 0) throw new Error(`${missing.length} consequences are missing: ${firstLines(missing).join('\n')}`);
      const last = events.at(-1)?.position ?? 0;
      const behind = Object.entries(await storage.checkpoints()).filter(([, position]) => position < last);
      if (behind.length > 0) throw new Error(`the log ends at ${last}: ${behind.map((entry) => entry.join(' is at ')).join(', ')}`);
      return events;
    },
    within,
  );

/** Replays the log and returns the inventory: the number of pets and orders by status. */
export const inventoryFromReplay = (events: readonly StoredEvent[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const projection of projections.filter(({ name }) => name === 'pets' || name === 'orders')) {
    const place = projection.collection.cells.indexOf('status');
    for (const [cell, amount] of Object.entries(replay(projection, events).cells)) {
      const status = String((JSON.parse(cell) as readonly unknown[])[place]);
      // Cancelled orders are not counted (contract 14.1).
      if (status !== 'cancelled') counts[status] = (counts[status] ?? 0) + amount;
    }
  }
  return counts;
};
