import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';

/** Between two looks, in milliseconds: a read model is usually there after a few. */
const LOOK_EVERY = 10;

type Wait = { readonly position: number; readonly resolve: (there: boolean) => void };

/**
 * Waits until read models have come so far. All who wait for one share one look at its checkpoint, so that waiting costs
 * the database the same however many do; each gives up when its own time is over, whatever the database does.
 */
export class CheckpointWaits {
  /** Who waits, by reader; a reader with an entry is being looked at. */
  private readonly waits = new Map<string, Set<Wait>>();
  private readonly known = new Map<string, number>();

  constructor(
    private readonly documents: Pick<Documents, 'checkpoint'>,
    private readonly clock: Clock,
  ) {}

  /** Whether the reader of that name came so far within so many milliseconds; false too while its checkpoint cannot be read. */
  reaches(name: string, position: number, milliseconds: number): Promise<boolean> {
    if ((this.known.get(name) ?? -1) >= position) return Promise.resolve(true);
    if (milliseconds <= 0) return Promise.resolve(false);
    return new Promise((resolve) => {
      const waiting = this.waiting(name);
      const cancel = this.clock.after(milliseconds, () => {
        waiting.delete(wait);
        resolve(false);
      });
      const wait: Wait = {
        position,
        resolve: (there) => {
          cancel();
          resolve(there);
        },
      };
      waiting.add(wait);
    });
  }

  /** How far the reader had come when it was last looked at; null when it never was. */
  lastSeen(name: string): number | null {
    return this.known.get(name) ?? null;
  }

  /** The waits for this reader; the first one starts the looking. */
  private waiting(name: string): Set<Wait> {
    const known = this.waits.get(name);
    if (known) return known;
    const waiting = new Set<Wait>();
    this.waits.set(name, waiting);
    void this.look(name, waiting);
    return waiting;
  }

  private async look(name: string, waiting: Set<Wait>): Promise<void> {
    do {
      const position = await this.documents.checkpoint(name).catch(() => null);
      if (position !== null) this.conclude(name, position, waiting);
      if (waiting.size > 0) await new Promise<void>((resolve) => this.clock.after(LOOK_EVERY, resolve));
    } while (waiting.size > 0);
    this.waits.delete(name);
  }

  private conclude(name: string, position: number, waiting: Set<Wait>): void {
    this.known.set(name, position);
    for (const wait of waiting) if (position >= wait.position && waiting.delete(wait)) wait.resolve(true);
  }
}
