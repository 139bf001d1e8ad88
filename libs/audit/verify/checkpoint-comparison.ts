import type { Checkpoint } from '../../domain/checkpoints/checkpoint.events.js';
import type { LogDigest } from '../proof/log-digest.js';
import type { AuditFault } from './audit-fault.js';

/**
 * Compares a log with checkpoints while the log is read. It reports only the first difference, because all later
 * checkpoints differ too.
 */
export class CheckpointComparison {
  /** Two checkpoints may cover the same number of events: those of a log, and those of the log that replaced it. */
  private readonly bySize: ReadonlyMap<number, readonly Checkpoint[]>;
  private matched: number;
  private hasFault = false;

  /** `origin` says where the checkpoints come from, for the text of a fault. The first `from` events of the log are not read. */
  constructor(
    checkpoints: readonly Checkpoint[],
    private readonly origin: string,
    from = 0,
  ) {
    this.bySize = Map.groupBy(checkpoints, ({ size }) => size);
    this.matched = from;
  }

  /** The number of events that the last matching checkpoint covers, or `from` if none has matched yet. */
  get matchedSize(): number {
    return this.matched;
  }

  /** Compares the digest of the events read so far with the checkpoint that covers exactly these events, if there is one. */
  compare(digest: LogDigest): AuditFault | null {
    const checkpoints = this.bySize.get(digest.size);
    if (!checkpoints || this.hasFault) return null;
    const different = checkpoints.find((checkpoint) => !doesMatch(checkpoint, digest));
    if (!different) {
      this.matched = digest.size;
      return null;
    }
    this.hasFault = true;
    const range = { from: this.matched + 1, to: digest.size };
    return {
      kind: 'rewritten',
      range,
      reason: `events ${range.from} to ${range.to} differ from those that ${this.nameOf(different)} covers`,
    };
  }

  /** Returns a fault if the largest checkpoint covers more events than the whole log has. */
  compareEnd(size: number): AuditFault | null {
    const [largest] = this.bySize.get(Math.max(...this.bySize.keys())) ?? [];
    if (!largest || largest.size <= size) return null;
    const range = { from: size + 1, to: largest.size };
    const reason = `the log ends after ${size} events, but ${this.nameOf(largest)} covers ${largest.size}`;
    return { kind: 'missing', range, reason };
  }

  private nameOf({ index }: Checkpoint): string {
    return `checkpoint ${index} ${this.origin}`;
  }
}

/** Returns whether a checkpoint has the same root and the same digests of tenants as a digest of events. */
export const doesMatch = ({ root, tenants }: Checkpoint, digest: LogDigest): boolean =>
  root === digest.root() && isSame(tenants, digest.tenantDigests());

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((digest, index) => digest === other[index]);
