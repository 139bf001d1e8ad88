import type { ExportManifest } from '../../../../libs/audit/export/manifest.js';
import { verifyExport, type ExportFault } from '../../../../libs/audit/export/verify-export.js';
import { clock } from '../../composition/clock.js';
import { CommandError } from '../../errors/command-error.js';
import { EXIT_HISTORY } from '../../errors/exit-codes.js';
import { ExportError } from '../../errors/export-error.js';
import { PROGRAM_NAME } from '../../terminal/installation.js';
import { showProgress } from '../../terminal/progress.js';
import type { VerifyOptions } from './audit.command.js';
import { chunksOf, openExport, type ExportFiles } from './export-folder.js';
import { comparisonOf, formatComparison, readCopies, readPublicKeys, requireCompared, type Comparison } from './proof-files.js';

/**
 * Verifies an export with only its folder or its file, and the keys of `--key` (contract 35.6). Throws ExportError if the export has
 * faults. With `json`, prints the faults and sets the exit code instead.
 */
export const verifyExportCommand = (path: string, { key, against, from, json = false }: VerifyOptions): void => {
  if (from !== undefined) throw new CommandError('--from applies only to the log. Omit it: an export is always verified as a whole');
  if (key === undefined)
    throw new CommandError(`--key is missing: pass the public keys that you keep elsewhere ("${PROGRAM_NAME} audit key" prints them)`);
  const keys = readPublicKeys(key);
  const copies = against === undefined ? null : readCopies(against, keys);
  const { manifest, events } = openExport(path);
  const progress = showProgress(clock, events.size, 'bytes verified');
  const chunks = countedChunks(events, (bytes) => progress.at(bytes));
  const { statement, compared, faults: found } = verifyExport({ manifest, chunks, keys, collected: copies?.checkpoints ?? [] });
  const faults = [...(copies?.faults ?? []), ...found];
  if (statement) progress.done(events.size);
  const comparison = copies && comparisonOf(copies, compared);
  if (json) printJson(statement, compared, comparison, faults);
  else if (faults.length > 0) throw ExportError.of(faults);
  if (copies && faults.length === 0) requireCompared(copies, compared, 'is one of the export');
  if (statement && !json) process.stdout.write(formatSummary(statement, comparison));
};

const countedChunks = function* ({ path, size }: ExportFiles['events'], onProgress: (bytes: number) => void): Generator<Uint8Array> {
  let bytes = 0;
  for (const chunk of chunksOf(path, size)) {
    yield chunk;
    onProgress((bytes += chunk.length));
  }
};

const printJson = (
  statement: ExportManifest | null,
  compared: number,
  comparison: Comparison | null,
  faults: readonly ExportFault[],
): void => {
  const summary = { events: statement?.count ?? null, compared, ...(comparison && { against: comparison }) };
  process.stdout.write(`${JSON.stringify({ ...summary, faults: faults.map(({ place, reason }) => ({ place, reason })) })}\n`);
  if (faults.length > 0) process.exitCode = EXIT_HISTORY;
};

const formatSummary = (statement: ExportManifest, comparison: Comparison | null): string => {
  const { count, from, to, cover } = statement;
  const lines = [
    `The export is whole: ${count} event${count === 1 ? '' : 's'} ${scopeText(statement)}.`,
    `Range: from ${from ?? 'the first event'} to ${to ?? `checkpoint ${cover.checkpoint.index}, of ${cover.checkpoint.time}`}.`,
    ...(comparison ? [`Compared with checkpoints from --against, ${formatComparison(comparison)}: ${comparison.compared}.`] : []),
  ];
  return `${lines.join('\n')}\n`;
};

const scopeText = ({ tenant, stream }: ExportManifest): string => {
  if (stream !== null) return `of stream ${stream}. None of its events in the range is missing`;
  return `${tenant === null ? 'of the log' : `of tenant ${tenant}`}. None is missing in the range`;
};
