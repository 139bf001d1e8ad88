import { ExportFailed, type ExportPlan } from '../../../../libs/audit/export/export-builder.js';
import { NothingToExport } from '../../../../libs/audit/export/export-plan.js';
import type { ExportScope } from '../../../../libs/audit/export/manifest.js';
import { planCovered } from '../../../../libs/application/audit/planned-export.js';
import { checkpointDigest } from '../../../../libs/audit/proof/signatures.js';
import type { ProofKey } from '../../../../libs/audit/proof/signing.js';
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

/** Opens the log and plans the export. `pinned` is the checkpoint at the end of an unfinished export. */
const openPlan = async (settings: Settings, scope: ExportScope, pinned?: SignedCheckpoint): Promise<Planned> => {
  const planned = await planCovered(scope, {
    open: () => openAuditedLog(settings),
    makeCheckpoint: () => runAsOperator(settings, {}, 'audit', (client) => client.request('POST', '/v1/audit/checkpoints')),
    pinned,
  });
  if (pinned && (!planned || checkpointDigest(planned.plan.cover.checkpoint) !== checkpointDigest(pinned.checkpoint))) {
    await planned?.log.close();
    throw new CommandError('the unfinished export in --out is of another log: pass another folder');
  }
  if (!planned)
    throw new CommandError(`the last checkpoint is earlier than --to ${scope.to}: check the clocks of the service and of this machine`);
  return planned;
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
