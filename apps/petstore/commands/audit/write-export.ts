import { addPages, ExportBuilder, type ExportPlan } from '../../../../libs/audit/export/export-builder.js';
import { positionOf, type ExportedLog } from '../../../../libs/audit/export/export-plan.js';
import { signManifest } from '../../../../libs/audit/proof/signing.js';
import type { ProofKey } from '../../../../libs/audit/proof/signing.js';
import type { ExportFolder } from './export-folder.js';

/** The number of events that are read at a time. */
const PAGE = 1_000;
/** The number of pages after which the progress is stored. Each `save` waits for the disk, so saving each page would be slow. */
const PAGES_BETWEEN_SAVES = 20;

type Writing = {
  readonly log: Pick<ExportedLog, 'store'>;
  readonly plan: ExportPlan;
  readonly folder: ExportFolder;
  readonly key: ProofKey;
  /** Called after each page with the number of events that the export has read. */
  readonly onProgress: (events: number) => void;
  readonly page?: number;
  readonly pagesBetweenSaves?: number;
};

/**
 * Writes an export to its folder, or continues an unfinished one. Returns the number of exported events. Rejects with
 * ExportFailed if the log was altered.
 */
export const writeExport = async ({ log, plan, folder, key, onProgress, page = PAGE, ...options }: Writing): Promise<number> => {
  const { pagesBetweenSaves = PAGES_BETWEEN_SAVES } = options;
  const { base, cover } = plan;
  const builder = new ExportBuilder(plan, await positionOf(log, base), folder.begin(cover));
  let pages = 0;
  for await (const lines of addPages(builder, log, page)) {
    folder.append(lines);
    // While only a later event can show whether the last events are in the range, `state()` is null, and nothing is stored.
    const state = ++pages % pagesBetweenSaves === 0 ? builder.state() : null;
    if (state) folder.save(cover, state);
    onProgress(builder.sizeRead - (base?.signed.checkpoint.size ?? 0));
  }
  const statement = builder.finish();
  folder.finish((digest) => signManifest(key, { ...statement, digest }));
  return statement.count;
};
