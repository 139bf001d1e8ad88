import { ExportFailed, type ExportPlan } from '../../../../libs/audit/export/export-builder.js';
import { hasUnsignedEvents, NothingToExport, planExport } from '../../../../libs/audit/export/export-plan.js';
import type { ExportScope } from '../../../../libs/audit/export/manifest.js';
import { checkpointDigest, type ProofKey } from '../../../../libs/audit/proof/signatures.js';
import type { SignedCheckpoint } from '../../../../libs/domain/checkpoints/checkpoint.events.js';
import type { Settings } from '../../../../libs/settings/settings.js';
import { parseBound } from '../../client/time-options.js';
import { clock } from '../../composition/clock.js';
import { openKeys } from '../../composition/open-keys.js';
import { openKeysOfProof } from '../../composition/proof.js';
import { CommandError } from '../../errors/command-error.js';
import { ExportError } from '../../errors/export-error.js';
import { PROGRAM_NAME, quoteForShell } from '../../terminal/installation.js';
import { showProgress } from '../../terminal/progress.js';
import { runAsOperator } from '../ops/run-as-operator.js';
import { openAuditedLog, type AuditedLog } from './audited-log.js';
import { ExportFolder } from './export-folder.js';
import { writeExport } from './write-export.js';

/** The options of `petstore audit export`. */
export type ExportOptions = {
  readonly out: string;
  readonly from?: string;
  readonly to?: string;
  readonly tenant?: string;
  readonly stream?: string;
};

/**
 * The maximum number of requests for a checkpoint. If no event follows the last checkpoint, the first request returns that
 * checkpoint (contract 35.1), which may be earlier than `--to`. The first request also appends a security event. So the second
 * request makes a new checkpoint.
 */
const MAX_CHECKPOINTS = 2;

/** Writes an export (contract 35.5), or continues an unfinished one. */
export const exportCommand = async (settings: Settings, { out, ...options }: ExportOptions): Promise<void> => {
  const scope = scopeOf(options);
  const folder = ExportFolder.open(out, scope);
  try {
    const { log, plan } = await openPlan(settings, scope, folder.unfinished?.cover);
    try {
      const count = await writeWithProgress(settings, log, plan, folder);
      process.stdout.write(summaryOf(out, plan, count));
    } finally {
      await log.close();
    }
  } catch (error) {
    if (error instanceof ExportFailed) throw new ExportError(error.message);
    throw error instanceof NothingToExport ? new CommandError(`${error.message}: check --tenant and --stream`) : error;
  }
};

/** Converts the options to a scope. Throws CommandError if `--to` is in the future, or `--from` is not before `--to`. */
const scopeOf = ({ from, to, tenant, stream }: Omit<ExportOptions, 'out'>): ExportScope => {
  const now = clock.now();
  const timeOf = (option: string, text?: string): string | null =>
    text === undefined ? null : parseBound(option, text, now).toISOString();
  const scope = { from: timeOf('--from', from), to: timeOf('--to', to), tenant: tenant?.toLowerCase() ?? null, stream: stream ?? null };
  if (scope.to !== null && scope.to > now.toISOString())
    throw new CommandError(`--to ${scope.to} is in the future: pass a time that is not after the present`);
  if (scope.from !== null && scope.to !== null && scope.from >= scope.to)
    throw new CommandError(`--from ${scope.from} is not before --to ${scope.to}`);
  return scope;
};

type Planned = { readonly log: AuditedLog; readonly plan: ExportPlan };

/**
 * Opens the log and plans the export between two of its checkpoints. Requests a checkpoint if the last one does not cover the
 * range. `pinned` is the checkpoint at the end of an unfinished export. The continued export must end there too.
 */
const openPlan = async (settings: Settings, scope: ExportScope, pinned?: SignedCheckpoint): Promise<Planned> => {
  for (let made = 0; ; made++) {
    const planned = await tryToPlan(settings, scope, pinned, made === 0);
    if (planned) return planned;
    if (made === MAX_CHECKPOINTS)
      throw new CommandError(`the last checkpoint is earlier than --to ${scope.to}: check the clocks of the service and of this machine`);
    await runAsOperator(settings, {}, 'audit', (client) => client.request('POST', '/v1/audit/checkpoints'));
  }
};

/**
 * Opens the log and plans the export. If a checkpoint must be made first, closes the log and returns null. The log must then be
 * opened again: an open log does not contain later checkpoints.
 */
const tryToPlan = async (
  settings: Settings,
  scope: ExportScope,
  pinned: SignedCheckpoint | undefined,
  isFirst: boolean,
): Promise<Planned | null> => {
  const log = await openAuditedLog(settings);
  let plan: ExportPlan | null = null;
  try {
    // Without `--to`, the first attempt requires that the last checkpoint covers all events. Later attempts do not require it,
    // because the service may append events after each checkpoint.
    const isCovered = scope.to !== null || pinned !== undefined || !isFirst || !(await hasUnsignedEvents(log));
    plan = isCovered ? await planExport(log, scope, pinned) : null;
    if (pinned && (!plan || checkpointDigest(plan.cover.checkpoint) !== checkpointDigest(pinned.checkpoint)))
      throw new CommandError('the unfinished export in --out is of another log: pass another folder');
    return plan && { log, plan };
  } finally {
    if (!plan) await log.close();
  }
};

const writeWithProgress = async (settings: Settings, log: AuditedLog, plan: ExportPlan, folder: ExportFolder): Promise<number> => {
  const { base, cover } = plan;
  const total = cover.checkpoint.size - (base?.signed.checkpoint.size ?? 0);
  const state = folder.unfinished?.state;
  if (state) process.stderr.write(`Continues the unfinished export after ${state.count} events.\n`);
  const progress = showProgress(clock, total, 'events read');
  const key = await signingKey(settings, cover);
  const count = await writeExport({ log, plan, folder, key, onProgress: (events) => progress.at(events) });
  progress.done(total);
  return count;
};

/**
 * Returns the key that signed the checkpoint. This key also signs the export. So a repeated export has the same bytes, even if
 * the keys were rotated in between.
 */
const signingKey = async (settings: Settings, { checkpoint }: SignedCheckpoint): Promise<ProofKey> => {
  const { keys, close } = await openKeys(settings);
  try {
    return await openKeysOfProof(keys, settings.signingKeyFile).withId(checkpoint.keyId);
  } finally {
    await close();
  }
};

const summaryOf = (out: string, { cover }: ExportPlan, count: number): string =>
  `Exported ${count} event${count === 1 ? '' : 's'} to ${out}, up to checkpoint ${cover.checkpoint.index}.\n` +
  `Verify it anywhere with a copy of the keys: ${PROGRAM_NAME} audit verify ${quoteForShell(out)} --key keys.json\n`;
