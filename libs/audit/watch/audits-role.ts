import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { HistoryFault, StreamFaultLookup } from '../../eventsourcing/history.js';
import { pauseFor } from '../../runtime/following/pause.js';
import { repeat } from '../../runtime/following/repeat.js';
import type { ProofKeys } from '../keys/proof-keys.js';
import { verifyLog, type LogAudit } from '../verify/verify-log.js';
import type { AuditFault } from '../verify/audit-fault.js';
import { readAuditRecord, writeAuditRecord, type AuditRecord } from './audit-record.js';

/** Milliseconds from the start to the first check whether an audit is due, and from a failed audit to the next check. */
const FIRST_DELAY = 60_000;
/** The number of events in a page, and the milliseconds between pages. These values limit an audit to a fifth of a processor. */
const PAGE = 100;
const PAUSE = 4;
/** The maximum number of faults in the record. Further faults are only counted. */
const RECORDED = 20;

export type AuditsPorts = Pick<LogAudit, 'store' | 'codec' | 'positions'> & {
  readonly documents: Pick<Documents, 'get' | 'apply'>;
  readonly proofKeys: Pick<ProofKeys, 'publicKeys'>;
  readonly clock: Clock;
  /** Returns the position of the last event. */
  readonly head: () => number | Promise<number>;
  /**
   * Yields a fault for each stream that lacks events which a read model has processed. Yields one more if the log ends before
   * a position that one of its readers has reached. Absent in the distributed profile, where it would take too many reads.
   */
  readonly findMissingEvents?: (signal: AbortSignal) => AsyncIterable<HistoryFault>;
  /** Records broken streams. The service answers requests for the resource of a broken stream with 503. */
  readonly faults: Pick<StreamFaultLookup, 'record'>;
  /** Milliseconds from one audit to the next. */
  readonly auditEveryMilliseconds: number;
  /** Called for each of the first 20 faults of an audit. */
  readonly onAuditFault: (fault: AuditFault) => void;
  /** Records a security event about the faults of an audit (contract 35.9). */
  readonly recordAlteration: (first: AuditFault, count: number) => Promise<void>;
  readonly onError: (error: unknown) => void;
};

/**
 * Verifies the whole log regularly and slowly (contract 35.9). After a start, waits a minute, and then verifies the log if
 * the last audit is too old or has found faults. Returns a function that stops the audits, even while an audit runs. A stopped
 * audit is not continued: the next audit begins at the first event.
 */
export const startAudits = (ports: AuditsPorts): (() => Promise<void>) => {
  const { clock, auditEveryMilliseconds: every, onError } = ports;
  const stopping = new AbortController();
  let isFirst = true;
  const work = async (): Promise<number> => {
    const record = await readAuditRecord(ports.documents);
    const age = record.endedAt === null ? Infinity : clock.now().getTime() - Date.parse(record.endedAt);
    // If the last audit has found faults, an audit is due after each start, because an operator may have restored a backup.
    // If the clock was set back, the age is negative. Then an audit is due, too.
    const isDue = age >= every || age < 0 || (isFirst && record.first.length > 0);
    if (!isDue) return every - age;
    await auditOnce(ports, record, stopping.signal);
    isFirst = false;
    return every;
  };
  const stop = repeat({ clock, firstDelay: FIRST_DELAY, work, failureDelay: FIRST_DELAY, onError });
  return () => {
    stopping.abort();
    return stop();
  };
};

/** Reads the whole log once and records the result, unless `signal` aborts. */
const auditOnce = async (ports: AuditsPorts, before: AuditRecord, signal: AbortSignal): Promise<void> => {
  const { clock, documents } = ports;
  const found = new FoundFaults(ports, before);
  const position = await ports.head();
  const pause = async (): Promise<void> => {
    await found.store();
    await pauseFor(PAUSE, clock, signal);
  };
  if (ports.findMissingEvents)
    for await (const { stream, revision, reason } of ports.findMissingEvents(signal))
      found.add({ kind: 'missing', stream, revision, reason });
  await verifyLog({
    ...{ store: ports.store, codec: ports.codec, positions: ports.positions },
    ...{ upTo: position, keys: await ports.proofKeys.publicKeys(), collected: [], page: PAGE, signal, pause, onProgress: pause },
    onFault: (fault) => found.add(fault),
  });
  if (signal.aborted) return;
  const time = clock.now().toISOString();
  const verified = found.count === 0 ? { position, time } : before.verified;
  await writeAuditRecord(documents, { ...found.record(), verified, endedAt: time });
  const [first] = found.first;
  if (first) await ports.recordAlteration(first, found.count);
};

/** The faults of one audit. */
class FoundFaults {
  readonly first: AuditFault[] = [];
  private readonly counts: Partial<Record<AuditFault['kind'], number>> = {};
  private stored = 0;
  count = 0;

  constructor(
    private readonly ports: Pick<AuditsPorts, 'documents' | 'faults' | 'onAuditFault'>,
    private readonly before: AuditRecord,
  ) {}

  add(fault: AuditFault): void {
    this.count++;
    this.counts[fault.kind] = (this.counts[fault.kind] ?? 0) + 1;
    if (this.first.length < RECORDED) {
      this.first.push(fault);
      this.ports.onAuditFault(fault);
    }
    const { kind, stream, revision = 0, reason } = fault;
    // A stream that lacks events is broken, too. HistoryFault has no kind `missing`, so it is recorded as `altered`.
    if (stream !== undefined && (kind === 'altered' || kind === 'missing'))
      this.ports.faults.record({ stream, revision, kind: 'altered', reason, tenant: null });
  }

  record(): AuditRecord {
    return { ...this.before, faults: this.counts, first: this.first };
  }

  /** Stores the first faults of an audit before its end, because the rest of the audit may take hours. Stores them only once. */
  async store(): Promise<void> {
    if (this.count === 0 || this.stored > 0) return;
    this.stored = this.count;
    await writeAuditRecord(this.ports.documents, this.record());
  }
}
