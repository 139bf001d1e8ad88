import type { ExportedEvent } from '../../../libs/audit/export/exported-event.js';
import { manifestStart } from '../../../libs/audit/export/export-file.js';
import type { ExportManifest } from '../../../libs/audit/export/manifest.js';
import { verifyExport } from '../../../libs/audit/export/verify-export.js';
import type { PublicKeys } from '../../../libs/audit/proof/signatures.js';
import type { CollectedCheckpoints } from '../../../libs/audit/verify/collected-checkpoints.js';
import { decodeText, readCheckpointCopies, readPublicKeys, UNREADABLE, UnusableFile } from '../../../libs/audit/verify/kept-files.js';
import { missingKeyIn } from '../missing-keys.js';
import type { Checkpoint, CheckpointsResult, ExportResult, Fault, Faults, Result, Statement, Unusable } from '../verification.js';
import { ReportBuilder } from './report-builder.js';
import { verifyShown } from './shown-checkpoints.js';

/** The bytes of a file. `read` returns those from one place up to another. */
export type Bytes = { readonly size: number; readonly read: (from: number, to: number) => Uint8Array };

type Given = {
  readonly keys: Bytes;
  readonly copies: Bytes | null;
  readonly onProgress: (done: number, total: number) => void;
} & ({ readonly files: readonly Bytes[] } | { readonly shown: readonly unknown[] });

/** A chosen file cannot be used. */
export class UnusableInput extends Error {
  override readonly name = 'UnusableInput';

  constructor(
    readonly file: Unusable['file'],
    reason: string,
  ) {
    super(reason);
  }
}

/** The number of faults that are shown, as by the command. */
const SHOWN = 100;
const CHUNK = 1_048_576;

/** Verifies an export, or the checkpoints that the service shows, with what an auditor has kept. Throws UnusableInput. */
export const verifyFiles = (given: Given): Result => {
  const keys = useFile('keys', given.keys, readPublicKeys);
  const copies = given.copies && useFile('copies', given.copies, (text) => readCheckpointCopies(text, keys));
  return 'files' in given ? verifyFilesOfExport(given, keys, copies) : verifyShownCheckpoints(given.shown, keys, copies);
};

const useFile = <T>(file: Unusable['file'], bytes: Bytes, read: (text: string) => T): T => {
  try {
    return read(decodeText(bytes.read(0, bytes.size)));
  } catch (error) {
    if (error instanceof UnusableFile) throw new UnusableInput(file, error.message);
    throw error;
  }
};

const verifyFilesOfExport = (
  { files, onProgress }: { readonly files: readonly Bytes[]; readonly onProgress: Given['onProgress'] },
  keys: PublicKeys,
  copies: CollectedCheckpoints | null,
): ExportResult => {
  const { manifest, events } = partsOf(files);
  const report = new ReportBuilder();
  const verified = verifyExport({
    manifest,
    chunks: chunksOf(events, onProgress),
    keys,
    collected: copies?.checkpoints ?? [],
    onEvent: (event: ExportedEvent) => report.add(event),
  });
  const faults = [...copyFaults(copies), ...verified.faults];
  return {
    kind: 'export',
    ...firstOf(faults),
    statement: verified.statement && statementOf(verified.statement),
    copies: countsOf(copies),
    compared: verified.compared,
    report: faults.length === 0 ? report.finish() : null,
  };
};

type Parts = { readonly manifest: string; readonly events: Bytes };

/** Returns the parts of an export file, or of the two files of a folder, in any order. */
const partsOf = (files: readonly Bytes[]): Parts => {
  const [one, other, ...more] = files;
  if (!one || more.length > 0)
    throw new UnusableInput('export', 'Choose one export file, or the two files events.ndjson and manifest.json together');
  if (other) {
    const manifest = files.find((file) => manifestStart(file.size, file.read) === 0);
    if (!manifest) throw new UnusableInput('export', 'Neither of the two files is a manifest. Choose events.ndjson and manifest.json');
    return { manifest: textIn(manifest), events: manifest === one ? other : one };
  }
  const start = manifestStart(one.size, one.read);
  if (start === null)
    throw new UnusableInput(
      'export',
      'Its last line is no manifest, so it is incomplete: get the export again. Of a folder, choose events.ndjson and manifest.json together',
    );
  return { manifest: textIn(one, start), events: { size: start, read: one.read } };
};

/** As the command reads it: a byte order mark is part of the text, which then is not that of a manifest. */
const textIn = ({ size, read }: Bytes, from = 0): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(read(from, size));

function* chunksOf({ size, read }: Bytes, onProgress: Given['onProgress']): Generator<Uint8Array> {
  for (let at = 0; at < size; at += CHUNK) {
    yield read(at, Math.min(at + CHUNK, size));
    onProgress(Math.min(at + CHUNK, size), size);
  }
}

const verifyShownCheckpoints = (shown: readonly unknown[], keys: PublicKeys, copies: CollectedCheckpoints | null): CheckpointsResult => {
  const { last, compared, faults } = verifyShown(shown, keys, copies?.checkpoints ?? []);
  return {
    kind: 'checkpoints',
    ...firstOf([...copyFaults(copies), ...faults]),
    count: shown.length,
    last: last && checkpointOf(last),
    copies: countsOf(copies),
    compared,
  };
};

const firstOf = (faults: readonly Fault[]): Faults => {
  const missing = faults.flatMap(({ reason }) => missingKeyIn(reason) ?? []);
  return {
    faults: faults.slice(0, SHOWN).map(({ place, reason }) => ({ place, reason })),
    faultCount: faults.length,
    missingKeys: [...new Set(missing)],
    isOnlyMissingKeys: missing.length > 0 && missing.length === faults.length,
  };
};

const copyFaults = (copies: CollectedCheckpoints | null): readonly Fault[] =>
  (copies?.unreadable ?? []).map((line) => ({ place: `your copy of the checkpoints, line ${line}`, reason: UNREADABLE }));

const countsOf = (copies: CollectedCheckpoints | null): ExportResult['copies'] =>
  copies && { lines: copies.lines, checkpoints: copies.checkpoints.length, unreadable: copies.unreadable.length };

const statementOf = ({ store, from, to, tenant, stream, count, digest, keyId, cover }: ExportManifest): Statement => ({
  ...{ store, from, to, tenant, stream, count, digest, keyId },
  cover: checkpointOf(cover.checkpoint),
});

const checkpointOf = ({ index, size, root, time, keyId }: Checkpoint): Checkpoint => ({ index, size, root, time, keyId });
