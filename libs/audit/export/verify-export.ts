import type { Checkpoint, SignedCheckpoint } from '../../domain/checkpoints/checkpoint.events.js';
import { checkpointDigest, type PublicKeys } from '../proof/signatures.js';
import { forgeryOf } from '../verify/genuine-checkpoints.js';
import { ExportLines } from './export-lines.js';
import { hasOwnHash, type ExportedEvent } from './exported-event.js';
import { readManifest, type ExportManifest } from './manifest.js';
import { proveEvents } from './prove-events.js';

/** A fault of an export. `place` is a file, a line of a file, a checkpoint, `eventBefore` or `eventAfter`. */
export type ExportFault = { readonly place: string; readonly reason: string };

export type ExportVerification = {
  /** The text of manifest.json. */
  readonly manifest: string;
  /** The bytes of events.ndjson. */
  readonly chunks: Iterable<Uint8Array>;
  /** The public keys that verify the signatures. They never come from the export. */
  readonly keys: PublicKeys;
  /** Checkpoints that were collected elsewhere. Their signatures have been verified. */
  readonly collected: readonly SignedCheckpoint[];
};

/** The result of a verification. `statement` is null if the manifest is forged: then nothing else was verified. */
export type VerifiedExport = {
  readonly statement: ExportManifest | null;
  /** The number of checkpoints of the export that were also collected elsewhere. */
  readonly compared: number;
  readonly faults: readonly ExportFault[];
};

/** Verifies an export with nothing but its files and the keys (docs/audit.md). */
export const verifyExport = ({ manifest, chunks, keys, collected }: ExportVerification): VerifiedExport => {
  const faults: ExportFault[] = [];
  const report = (place: string, reason: string | null): void => {
    if (reason !== null) faults.push({ place, reason });
  };
  const statement = readManifest(keys, manifest);
  if ('reason' in statement) return { statement: null, compared: 0, faults: [{ place: 'manifest.json', reason: statement.reason }] };
  const checkpoints = [statement.base, statement.cover].filter((signed) => signed !== null);
  const compared = checkpoints.filter(({ checkpoint }) => collected.some((one) => one.checkpoint.index === checkpoint.index));
  for (const signed of checkpoints) report(nameOf(signed.checkpoint), forgeryOf(keys, signed) ?? differenceOf(collected, signed));
  report('manifest.json', rangeFault(statement));
  const lines = new ExportLines(chunks, (line, reason) => report(`events.ndjson, line ${line}`, reason));
  report('events.ndjson', proveEvents(statement, shownEvents(statement, lines, report)));
  // `proveEvents` has read all lines, so the number of lines and the digest are final.
  report('events.ndjson', lines.count === statement.count ? null : `it has ${lines.count} events instead of ${statement.count}`);
  report('events.ndjson', lines.digest() === statement.digest ? null : 'its digest differs from the digest in the manifest');
  return { statement, compared: compared.length, faults };
};

const nameOf = ({ index }: Checkpoint): string => `checkpoint ${index}`;

const differenceOf = (collected: readonly SignedCheckpoint[], { checkpoint }: SignedCheckpoint): string | null => {
  const own = checkpointDigest(checkpoint);
  const isSame = collected.every((one) => one.checkpoint.index !== checkpoint.index || checkpointDigest(one.checkpoint) === own);
  return isSame ? null : 'it differs from the one that was collected elsewhere';
};

/** Returns why the checkpoints do not enclose the range, or null if they do. */
const rangeFault = ({ store, from, to, base, cover, eventBefore, eventAfter }: ExportManifest): string | null => {
  if ([base, cover].some((signed) => signed && signed.checkpoint.store !== store)) return 'a checkpoint belongs to another store';
  if (base && base.checkpoint.size > cover.checkpoint.size) return 'its checkpoints are not in order';
  if (from === null ? base !== null || eventBefore !== null : base !== null && base.checkpoint.time >= from)
    return 'the range begins before its first checkpoint';
  if (to === null ? eventAfter !== null : cover.checkpoint.time < to) return 'the range ends after its last checkpoint';
  return null;
};

/** Yields the event before the range, the events of events.ndjson, and the event after the range. */
const shownEvents = function* (
  { eventBefore, eventAfter }: ExportManifest,
  lines: ExportLines,
  report: (place: string, reason: string | null) => void,
): Generator<ExportedEvent> {
  const neighbour = (name: string, event: ExportedEvent): ExportedEvent => {
    report(name, hasOwnHash(event) ? null : 'it does not match its hash');
    return event;
  };
  if (eventBefore) yield neighbour('eventBefore', eventBefore);
  yield* lines.events();
  if (eventAfter) yield neighbour('eventAfter', eventAfter);
};
