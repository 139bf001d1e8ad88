import { readCheckpoints } from '../../../../libs/audit/checkpoints/checkpoint-log.js';
import { jwksOf } from '../../../../libs/audit/keys/public-keys.js';
import { remedyOf, type AuditFault } from '../../../../libs/audit/verify/audit-fault.js';
import { verifyLog, type AuditSummary, type LogAudit } from '../../../../libs/audit/verify/verify-log.js';
import type { SignedCheckpoint } from '../../../../libs/domain/checkpoints/checkpoint.events.js';
import type { Settings } from '../../../../libs/settings/settings.js';
import type { ServiceOptions } from '../../client/service-client.js';
import { clock } from '../../composition/clock.js';
import { openKeys } from '../../composition/open-keys.js';
import { openKeysOfProof } from '../../composition/proof.js';
import { yieldToEventLoop } from '../../../../libs/eventsourcing/scheduling/yield-to-event-loop.js';
import { AuditError } from '../../errors/audit-error.js';
import { CommandError } from '../../errors/command-error.js';
import { EXIT_HISTORY } from '../../errors/exit-codes.js';
import { showProgress } from '../../terminal/progress.js';
import { runAsOperator } from '../ops/run-as-operator.js';
import { openAuditedLog, type AuditedLog } from './audited-log.js';
import { comparisonOf, formatComparison, readCopies, readPublicKeys, requireCompared, type Comparison } from './proof-files.js';

/** The options of `petstore audit verify`. */
export type VerifyOptions = {
  /** The path of a file with checkpoints that were kept outside of the service. */
  readonly against?: string;
  /**
   * The number of events at the beginning of the log that need not be verified again. The verification begins after the last
   * checkpoint that covers at most this many events. Default: 0, which verifies the whole log.
   */
  readonly from?: number;
  /** The path of a file with public keys. Default: those in the store and in SIGNING_KEY_FILE. */
  readonly key?: string;
  readonly json?: boolean;
};

/** Requests a checkpoint of all events from the service, and prints the checkpoint (contract 35.1). */
export const checkpointCommand = async (settings: Settings, options: ServiceOptions): Promise<void> => {
  const { json } = await runAsOperator(settings, options, 'audit', (client) =>
    client.request<SignedCheckpoint>('POST', '/v1/audit/checkpoints'),
  );
  process.stdout.write(`${JSON.stringify(json)}\n`);
};

/** Prints every checkpoint of the log, one on each line. */
export const checkpointsCommand = async (settings: Settings): Promise<void> => {
  const log = await openAuditedLog(settings);
  try {
    for await (const { signed } of readCheckpoints(log)) if (signed) process.stdout.write(`${JSON.stringify(signed)}\n`);
  } finally {
    await log.close();
  }
};

/** Prints the public keys that verify checkpoints. Creates the first key if there is none. */
export const keyCommand = async (settings: Settings): Promise<void> => {
  const { keys, close } = await openKeys(settings);
  try {
    const proofKeys = openKeysOfProof(keys, settings.signingKeyFile);
    await proofKeys.newest();
    process.stdout.write(`${JSON.stringify({ keys: jwksOf(await proofKeys.publicKeys()) })}\n`);
  } finally {
    await close();
  }
};

/**
 * Verifies the log (contract 35.4). Throws AuditError if the log has faults. With `json`, prints the faults and sets the exit
 * code instead. Throws CommandError after Ctrl-C.
 */
export const verifyCommand = async (settings: Settings, { against, key, from = 0, json = false }: VerifyOptions): Promise<void> => {
  const log = await openAuditedLog(settings);
  try {
    const keys = key === undefined ? log.ownKeys : readPublicKeys(key);
    const copies = against === undefined ? null : readCopies(against, keys);
    const faults: AuditFault[] = [...(copies?.faults ?? []), ...(await log.compareReadModels())];
    const stop = new AbortController();
    process.once('SIGINT', () => stop.abort());
    const onFault = (fault: AuditFault): void => void faults.push(fault);
    const collected = copies?.checkpoints ?? [];
    const summary = await verifyWithProgress(log, { keys, collected, from, onFault, signal: stop.signal });
    const compared = countCompared(summary, collected);
    const comparison = copies && comparisonOf(copies, compared);
    if (json) printJson(summary, comparison, faults);
    else if (faults.length > 0) throw new AuditError(faults);
    if (stop.signal.aborted) throw new CommandError(interruptionOf(summary));
    if (copies && faults.length === 0) requireCompared(copies, compared, `covers an event after the first ${summary.from}`);
    if (!json) process.stdout.write(formatSummary(summary, comparison));
  } finally {
    await log.close();
  }
};

const verifyWithProgress = async (
  { store, codec, upTo, positions, startChains }: AuditedLog,
  context: Pick<LogAudit, 'keys' | 'collected' | 'from' | 'onFault' | 'signal'>,
): Promise<AuditSummary> => {
  const progress = showProgress(clock, upTo, positions === 'without gaps' ? 'events verified' : 'positions of the log verified');
  let reached = 0;
  const onProgress = (position: number): Promise<void> => {
    progress.at((reached = position));
    // The log of a folder is read synchronously, so Node can handle Ctrl-C only when this function yields to the event loop.
    return yieldToEventLoop();
  };
  const summary = await verifyLog({ store, codec, upTo, positions, ...(startChains && { startChains }), ...context, onProgress });
  progress.done(reached);
  return summary;
};

const interruptionOf = ({ from, events, matched }: AuditSummary): string =>
  `interrupted after ${counted(events, 'event')}, without a fault so far` +
  (matched > from ? `; to continue after the last checkpoint, pass --from ${matched}` : '');

/** Returns the number of collected checkpoints that cover events which the audit has read. */
const countCompared = ({ from, events }: AuditSummary, collected: readonly SignedCheckpoint[]): number =>
  collected.filter(({ checkpoint: { size } }) => size >= from && size <= from + events).length;

const printJson = (summary: AuditSummary, comparison: Comparison | null, faults: readonly AuditFault[]): void => {
  const listed = faults.map((fault) => ({ ...fault, remedy: remedyOf(fault) }));
  process.stdout.write(`${JSON.stringify({ ...summary, ...(comparison && { against: comparison }), faults: listed })}\n`);
  if (faults.length > 0) process.exitCode = EXIT_HISTORY;
};

const formatSummary = ({ from, events, unsigned }: AuditSummary, comparison: Comparison | null): string => {
  const range =
    from === 0
      ? ''
      : ` after the first ${from}, which were not read. Account names were checked for duplicates only in the events that were read`;
  const elsewhere = comparison
    ? `It matches ${counted(comparison.compared, 'checkpoint')} from --against.\nOf --against: ${formatComparison(comparison)}.\n`
    : '';
  return `The log is whole: ${counted(events, 'event')}${range}.\n${elsewhere}Not covered by a checkpoint yet: ${counted(unsigned, 'event')}.\n`;
};

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
