import type { Checkpoint, SignedCheckpoint } from '../../domain/checkpoints/checkpoint.events.js';
import { checkpointDigest, type PublicKeys } from '../proof/signatures.js';
import { forgeryOf } from '../verify/genuine-checkpoints.js';
import { hasOwnHash, readLine, leafOf, type ExportedEvent } from './exported-event.js';
import { readManifest, type ExportManifest, type TenantProof, type TreeProof } from './manifest.js';
import { nextTenantHash, NO_EVENTS, tenantDigest } from '../proof/log-digest.js';
import { bytesOf, concatenate, startSha256, textOf, utf8Of } from '../proof/primitives.js';
import { EventSequence } from './event-sequence.js';
import { rootFrom, type ShownLeaf } from './sparse-tree.js';

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
  /** Called for each event of events.ndjson, before it is known whether the export is whole. */
  readonly onEvent?: (event: ExportedEvent) => void;
};

/** The result of a verification. `statement` is null if the manifest is forged: then nothing else was verified. */
export type VerifiedExport = {
  readonly statement: ExportManifest | null;
  /** The number of checkpoints of the export that were also collected elsewhere. */
  readonly compared: number;
  readonly faults: readonly ExportFault[];
};

/** Verifies an export with nothing but its files and the keys (docs/audit.md). */
export const verifyExport = ({ manifest, chunks, keys, collected, onEvent }: ExportVerification): VerifiedExport => {
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
  const lines = new ExportLines(chunks, (line, reason) => report(`events.ndjson, line ${line}`, reason), onEvent);
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

const NEWLINE = 0x0a;

/** Reads the lines of events.ndjson, and computes the digest of the file while it is read. */
export class ExportLines {
  private readonly sha256 = startSha256();
  private lines = 0;

  constructor(
    private readonly chunks: Iterable<Uint8Array>,
    /** Called for a line that is not an event or does not match its hash, with the line's number from 1. */
    private readonly onFault: (line: number, reason: string) => void,
    private readonly onEvent?: (event: ExportedEvent) => void,
  ) {}

  /** The number of lines that were read. */
  get count(): number {
    return this.lines;
  }

  /** Yields the events. Skips lines that are not events. */
  *events(): Generator<ExportedEvent> {
    for (const line of this.texts()) {
      this.lines++;
      const event = readLine(line);
      if (!event) this.onFault(this.lines, 'it is not the canonical JSON of an event');
      else if (!hasOwnHash(event)) this.onFault(this.lines, 'it does not match its hash');
      if (!event) continue;
      this.onEvent?.(event);
      yield event;
    }
  }

  /** Returns the digest of the whole file, base64url. Call it once, after all events were read. */
  digest(): string {
    return this.sha256.digest();
  }

  private *texts(): Generator<string> {
    let rest: Uint8Array = new Uint8Array(0);
    for (const chunk of this.chunks) {
      this.sha256.update(chunk);
      rest = concatenate(rest, chunk);
      let start = 0;
      for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE, start)) {
        yield utf8Of(rest, start, end);
        start = end + 1;
      }
      rest = rest.subarray(start);
    }
    if (rest.length > 0) yield utf8Of(rest, 0, rest.length);
  }
}

/**
 * Returns why the events of an export are not those that its checkpoint covers, or null if they are. `events` includes the
 * events before and after the range. Always reads all events, so that the caller can use the digest of the file.
 */
export const proveEvents = (statement: ExportManifest, events: Generator<ExportedEvent>): string | null => {
  const sequence = new EventSequence(statement);
  const leaves = leavesOf(events, sequence);
  const { tenant, proof } = statement;
  const isProven =
    tenant === null ? isInTree(statement, proof as TreeProof, leaves) : isWholeTenant(statement, tenant, proof as TenantProof, leaves);
  return sequence.end() ?? (isProven ? null : 'its events are not those that the checkpoint covers');
};

const leavesOf = function* (events: Iterable<ExportedEvent>, sequence: EventSequence): Generator<ShownLeaf> {
  for (const event of events) {
    sequence.add(event);
    yield { number: event.number, leaf: leafOf(event) };
  }
};

const isInTree = ({ cover }: ExportManifest, { nodes }: TreeProof, leaves: Generator<ShownLeaf>): boolean =>
  rootFrom(cover.checkpoint.size, leaves, nodes) === cover.checkpoint.root;

/**
 * Computes the tenant's digest from the tenant's running hash at `base` and all later leaves, and returns whether `cover` has
 * this digest. Returns false if there are hidden leaves before the range without `eventBefore`, or hidden leaves after the range
 * without `eventAfter`. Such leaves could be events of the range.
 */
const isWholeTenant = (
  { base, cover, eventBefore, eventAfter }: ExportManifest,
  tenant: string,
  { count, hash, leavesBefore, leavesAfter }: TenantProof,
  leaves: Iterable<ShownLeaf>,
): boolean => {
  const start = tenantDigest({ tenant, count, hash });
  const isStart = count === 0 ? hash === textOf(NO_EVENTS) : base?.checkpoint.tenants.includes(start);
  const isEnclosed = (eventBefore || leavesBefore.length === 0) && (eventAfter || leavesAfter.length === 0);
  let running = bytesOf(hash);
  let added = count;
  const add = (leaf: Uint8Array): void => {
    running = nextTenantHash(running, leaf);
    added++;
  };
  for (const leaf of leavesBefore) add(bytesOf(leaf));
  for (const { leaf } of leaves) add(leaf);
  for (const leaf of leavesAfter) add(bytesOf(leaf));
  const end = tenantDigest({ tenant, count: added, hash: textOf(running) });
  return Boolean(isStart && isEnclosed) && cover.checkpoint.tenants.includes(end);
};
