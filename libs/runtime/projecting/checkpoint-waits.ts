import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';

/** Milliseconds between two polls. A read model usually catches up within a few milliseconds. */
const POLL_MILLISECONDS = 10;

type Wait = { readonly position: number; readonly resolve: (isReached: boolean) => void };

/**
 * Waits until a read model reaches a position. All waits for one read model share the polls of its checkpoint, so further
 * waits add no queries. Each wait ends at its own timeout, even while the database does not respond.
 */
export class CheckpointWaits {
  /** The waits by checkpoint name. A checkpoint with an entry is being polled. */
  private readonly waits = new Map<string, Set<Wait>>();
  private readonly positions = new Map<string, number>();

  constructor(
    private readonly documents: Pick<Documents, 'checkpoint'>,
    private readonly clock: Clock,
  ) {}

  /** Resolves to true when the checkpoint reaches the position, and to false after `milliseconds`. */
  waitFor(name: string, position: number, milliseconds: number): Promise<boolean> {
    if ((this.positions.get(name) ?? -1) >= position) return Promise.resolve(true);
    if (milliseconds <= 0) return Promise.resolve(false);
    return new Promise((resolve) => {
      const waiting = this.waitsFor(name);
      const cancel = this.clock.after(milliseconds, () => {
        waiting.delete(wait);
        resolve(false);
      });
      const wait: Wait = {
        position,
        resolve: (isReached) => {
          cancel();
          resolve(isReached);
        },
      };
      waiting.add(wait);
    });
  }

  /** Returns the position of the checkpoint at the last poll, or null if it was never polled. */
  lastKnown(name: string): number | null {
    return this.positions.get(name) ?? null;
  }

  /** Returns the waits for a checkpoint. The first wait starts the polling. */
  private waitsFor(name: string): Set<Wait> {
    const existing = this.waits.get(name);
    if (existing) return existing;
    const waiting = new Set<Wait>();
    this.waits.set(name, waiting);
    void this.poll(name, waiting);
    return waiting;
  }

  private async poll(name: string, waiting: Set<Wait>): Promise<void> {
    do {
      const position = await this.documents.checkpoint(name).catch(() => null);
      if (position !== null) this.resolveReached(name, position, waiting);
      if (waiting.size > 0) await new Promise<void>((resolve) => this.clock.after(POLL_MILLISECONDS, resolve));
    } while (waiting.size > 0);
    this.waits.delete(name);
  }

  private resolveReached(name: string, position: number, waiting: Set<Wait>): void {
    this.positions.set(name, position);
    for (const wait of waiting) if (position >= wait.position && waiting.delete(wait)) wait.resolve(true);
  }
}
