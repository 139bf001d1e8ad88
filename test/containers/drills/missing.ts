import type { ClusterStorage } from '../../journeys/distributed/cluster-storage.js';
import { waitUntilSettled } from '../../journeys/distributed/settled.js';
import { ledgerDifferences } from '../../journeys/consequences.js';
import { differencesFromReplay, logViolations } from '../../journeys/replay.js';
import { countRecorded, type Outcome, type RequestRecorder } from '../../journeys/request-recorder.js';

/** The number of changes that were acknowledged in a period, and how many of them are missing after a restore. */
type Share = { readonly acknowledged: number; readonly missing: number };

/** The numbers of acknowledged changes that are missing from a restored store, with faults and differences found there. */
export type MissingAfterRestore = {
  readonly beforeBackup: Share;
  readonly duringBackup: Share;
  readonly afterBackup: Share;
  /** The time of the last event in the restored log. */
  readonly lastEvent: string;
  /** Faults of the restored log, and read models that differ from a replay of the log. */
  readonly faults: readonly string[];
  /** A line for each difference between the gateway's ledger and the log. */
  readonly ledger: readonly string[];
};

const RESTORED_WITHIN = 240_000;

/** Records which changes were acknowledged when a backup began and when it ended. */
export class BackupTimes {
  private readonly marks: ReadonlySet<Outcome>[] = [];

  constructor(private readonly recorder: RequestRecorder) {}

  /** Records which changes have been acknowledged so far. Call it when the backup begins and when it ends. */
  mark(): void {
    this.marks.push(new Set(this.recorder.outcomes.filter(isAcknowledged)));
  }

  /** Waits until the read models of a restored store have caught up. Then counts the missing changes. */
  async missingFrom(storage: ClusterStorage): Promise<MissingAfterRestore> {
    const events = await waitUntilSettled(storage, RESTORED_WITHIN);
    const [begun, ended] = this.marks;
    const all = this.recorder.outcomes.filter(isAcknowledged);
    const shareOf = (outcomes: readonly Outcome[]): Share => ({
      acknowledged: outcomes.length,
      missing: outcomes.length - countRecorded(outcomes, events),
    });
    return {
      beforeBackup: shareOf(all.filter((outcome) => begun?.has(outcome))),
      duringBackup: shareOf(all.filter((outcome) => !begun?.has(outcome) && ended?.has(outcome))),
      afterBackup: shareOf(all.filter((outcome) => !ended?.has(outcome))),
      lastEvent: String((JSON.parse(events.at(-1)?.metadata ?? '{}') as { time?: string }).time),
      faults: [...logViolations(events, 'growing'), ...differencesFromReplay(await storage.snapshot(events))],
      ledger: ledgerDifferences(events, await storage.charges()),
    };
  }
}

const isAcknowledged = ({ response }: Outcome): boolean => response !== null && response.status < 300;
