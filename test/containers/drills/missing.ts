import type { ClusterStorage } from '../../journeys/distributed/cluster-storage.js';
import { waitUntilSettled } from '../../journeys/distributed/settled.js';
import { ledgerDifferences } from '../../journeys/consequences.js';
import { differencesFromReplay, logViolations } from '../../journeys/replay.js';
import { countRecorded, type Outcome, type RequestRecorder } from '../../journeys/request-recorder.js';

/** Changes that were acknowledged in a time, and how many of them a restored log lacks. */
type Share = { readonly acknowledged: number; readonly missing: number };

/** What a restored store lacks of what was acknowledged, and where that is seen. */
export type MissingAfterRestore = {
  readonly beforeBackup: Share;
  readonly duringBackup: Share;
  readonly afterBackup: Share;
  /** The time of the last event in the restored log. */
  readonly lastEvent: string;
  /** Faults of the restored log, and read models that do not equal its replay. */
  readonly faults: readonly string[];
  /** Charges of the gateway whose payment the log lacks, or that disagree with it. */
  readonly ledger: readonly string[];
};

const RESTORED_WITHIN = 240_000;

/** Counts acknowledged changes at two moments and at the end. */
export class BackupTimes {
  private readonly marks: ReadonlySet<Outcome>[] = [];

  constructor(private readonly recorder: RequestRecorder) {}

  /** Records what is acknowledged now: called when the backup begins and when it ends. */
  mark(): void {
    this.marks.push(new Set(this.recorder.outcomes.filter(isAcknowledged)));
  }

  /** Compares a restored store with what was acknowledged. Waits until its read models have caught up. */
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

const isAcknowledged = ({ answer }: Outcome): boolean => answer !== null && answer.status < 300;
