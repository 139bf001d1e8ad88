import { createHash } from 'node:crypto';
import { addPages, ExportBuilder, type ExportPlan } from '../../audit/export/export-builder.js';
import { hasUnsignedEvents, planExport, positionOf, type ExportedLog } from '../../audit/export/export-plan.js';
import { signManifest } from '../../audit/proof/signing.js';
import type { ExportScope } from '../../audit/export/manifest.js';
import type { ProofKey } from '../../audit/proof/signing.js';
import type { SignedCheckpoint } from '../../domain/checkpoints/checkpoint.events.js';
import { canonicalJson } from '../../eventsourcing/canonical-json.js';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';

/**
 * The maximum number of checkpoints that are made for an export. The command needs two, because it requests them from the service. If
 * no event follows the last checkpoint, its first request returns that checkpoint (contract 35.1), which may be earlier than the end
 * of the range. The first request is recorded, so the second one makes a new checkpoint.
 */
const MAX_CHECKPOINTS = 2;

/** What covers an export with a checkpoint. */
type Covering<Log> = {
  /** Opens the log for one attempt. An open log may lack later checkpoints. */
  readonly open: () => Promise<Log>;
  readonly makeCheckpoint: () => Promise<unknown>;
  /** The checkpoint at the end of an unfinished export, where the continued export must end too. */
  readonly pinned?: SignedCheckpoint | undefined;
};

type OpenLog = ExportedLog & { close(): Promise<void> };

/**
 * Opens the log and plans an export (contract 35.5). Makes a checkpoint first if the last one does not cover the range. Returns null
 * if that does not help: the log lacks the pinned checkpoint, has no events, or the clocks of its processes differ. Throws as
 * `planExport` does.
 */
export const planCovered = async <Log extends OpenLog>(
  scope: ExportScope,
  { open, makeCheckpoint, pinned }: Covering<Log>,
): Promise<{ readonly log: Log; readonly plan: ExportPlan } | null> => {
  for (let made = 0; ; made++) {
    const log = await open();
    let plan: ExportPlan | null = null;
    try {
      // Without an end, the first attempt requires that the last checkpoint covers all events. Later attempts do not require it,
      // because the service may append events after each checkpoint.
      const isCovered = scope.to !== null || pinned !== undefined || made > 0 || !(await hasUnsignedEvents(log));
      plan = isCovered ? await planExport(log, scope, pinned) : null;
      if (plan) return { log, plan };
    } finally {
      if (!plan) await log.close();
    }
    if (pinned || made === MAX_CHECKPOINTS) return null;
    await makeCheckpoint();
  }
};

/** An export that was planned: its scope, and the index of the checkpoint where it ends. */
type PlannedExport = { readonly scope: ExportScope; readonly cover: number };

/** Returns the id of an export, from which any process of any time makes the same bytes. */
export const exportIdOf = ({ scope: { from, to, tenant, stream }, cover }: PlannedExport): string =>
  Buffer.from(canonicalJson({ from, to, tenant, stream, cover })).toString('base64url');

/** Returns the export with an id, or null if no export has this id. */
export const plannedExportOf = (id: string): PlannedExport | null => {
  const { from, to, tenant, stream, cover } = parse(Buffer.from(id, 'base64url').toString());
  const isRange = isTime(from) && isTime(to) && (from === null || to === null || from < to);
  const isScope = isText(tenant) && isText(stream) && (tenant === null || stream === null);
  if (!isRange || !isScope || !Number.isSafeInteger(cover)) return null;
  const planned = { scope: { from, to, tenant, stream }, cover: cover as number };
  return exportIdOf(planned) === id ? planned : null;
};

const parse = (text: string): Readonly<Record<string, unknown>> => {
  try {
    return Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
};

const isText = (value: unknown): value is string | null => value === null || typeof value === 'string';

/** The length of a time of the years 0000 to 9999. Times of other years are longer, and not in the order of their texts. */
const TIME_LENGTH = 24;

const isTime = (value: unknown): value is string | null =>
  value === null ||
  (typeof value === 'string' &&
    value.length === TIME_LENGTH &&
    !Number.isNaN(Date.parse(value)) &&
    new Date(value).toISOString() === value);

/** The number of events that are read at a time, while other requests wait. */
const PAGE = 250;

/**
 * Yields the export file (contract 35.17): the lines of the events, page by page, and at last that of the manifest. A page may have no
 * lines. Rejects with ExportFailed if the log was altered, and then yields no manifest.
 */
export async function* exportFile({ store }: Pick<ExportedLog, 'store'>, plan: ExportPlan, key: ProofKey): AsyncGenerator<string> {
  const builder = new ExportBuilder(plan, await positionOf({ store }, plan.base));
  const sha256 = createHash('sha256');
  for await (const lines of addPages(builder, { store }, PAGE)) {
    sha256.update(lines);
    yield lines;
    await yieldToEventLoop();
  }
  yield signManifest(key, { ...builder.finish(), digest: sha256.digest('base64url') });
}
