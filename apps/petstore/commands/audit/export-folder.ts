import { createHash } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { ExportState } from '../../../../libs/audit/export/export-builder.js';
import { manifestStart } from '../../../../libs/audit/export/export-file.js';
import type { ExportScope } from '../../../../libs/audit/export/manifest.js';
import type { SignedCheckpoint } from '../../../../libs/domain/checkpoints/checkpoint.events.js';
import { reasonOf } from '../../../../libs/eventsourcing/reason.js';
import { CommandError } from '../../errors/command-error.js';

/** The files of an export. */
const EVENTS_FILE = 'events.ndjson';
const MANIFEST_FILE = 'manifest.json';
/** The file with the progress of an unfinished export. A finished export has no such file. */
const PROGRESS_FILE = 'progress.json';
/** The suffix of a file's name while the file is incomplete. */
const NEW = '.new';

/** The content of the progress file. */
type Progress = {
  readonly scope: ExportScope;
  /** The last checkpoint of the export. */
  readonly cover: SignedCheckpoint;
  /** The length of events.ndjson in bytes when `state` was stored. */
  readonly bytes: number;
  /** The state from which the export continues. Null before the first `save`: an export without a state begins anew. */
  readonly state: ExportState | null;
};

/** The folder of an export. After an interruption at any moment, the files in the folder are enough to continue the export. */
export class ExportFolder {
  /** The length of events.ndjson. */
  private bytes = 0;

  private constructor(
    private readonly path: string,
    private readonly scope: ExportScope,
    /** The unfinished export in the folder, or null. */
    readonly unfinished: Progress | null,
  ) {}

  /**
   * Opens a folder that is missing or empty, or that has an unfinished export of the same scope. Throws CommandError for any
   * other folder.
   */
  static open(path: string, scope: ExportScope): ExportFolder {
    const names = namesIn(path);
    if (names.includes(PROGRESS_FILE)) return new ExportFolder(path, scope, readProgress(path, scope));
    if (names.includes(MANIFEST_FILE)) throw new CommandError(`--out ${path} has an export already: pass another folder`);
    if (names.length > 0) throw new CommandError(`--out ${path} is not empty: pass an empty or a new folder`);
    return new ExportFolder(path, scope, null);
  }

  /**
   * Begins or continues the export. Returns the state from which the export continues, or undefined if it begins anew.
   */
  begin(cover: SignedCheckpoint): ExportState | undefined {
    // An export has actors, addresses and the ids of people, so only its owner may read it, as with a backup.
    mkdirSync(this.path, { recursive: true, mode: 0o700 });
    this.bytes = this.unfinished?.bytes ?? 0;
    if (!this.unfinished) this.writeWhole(PROGRESS_FILE, JSON.stringify({ scope: this.scope, cover, bytes: 0, state: null }));
    appendFileSync(this.file(EVENTS_FILE), '', { mode: 0o600 });
    // Removes the lines that were appended after the last `save`. The export writes them again.
    truncateSync(this.file(EVENTS_FILE), this.bytes);
    return this.unfinished?.state ?? undefined;
  }

  /** Appends lines to events.ndjson. */
  append(lines: string): void {
    appendFileSync(this.file(EVENTS_FILE), lines);
    this.bytes += Buffer.byteLength(lines);
  }

  /** Stores the progress, after the lines are on disk. So the stored length never exceeds the length of events.ndjson. */
  save(cover: SignedCheckpoint, state: ExportState): void {
    syncFile(this.file(EVENTS_FILE));
    const progress: Progress = { scope: this.scope, cover, bytes: this.bytes, state };
    this.writeWhole(PROGRESS_FILE, JSON.stringify(progress));
  }

  /** Calls `sign` with the digest of events.ndjson, and writes the returned text as the manifest. Removes the progress file. */
  finish(sign: (digest: string) => string): void {
    syncFile(this.file(EVENTS_FILE));
    const sha256 = createHash('sha256');
    for (const chunk of chunksOf(this.file(EVENTS_FILE))) sha256.update(chunk);
    this.writeWhole(MANIFEST_FILE, sign(sha256.digest('base64url')));
    rmSync(this.file(PROGRESS_FILE));
  }

  private file(name: string): string {
    return join(this.path, name);
  }

  /** Writes a file completely under another name, and then renames it, so that an interruption leaves no partial file. */
  private writeWhole(name: string, text: string): void {
    writeFileSync(this.file(name + NEW), text, { mode: 0o600, flush: true });
    renameSync(this.file(name + NEW), this.file(name));
  }
}

const namesIn = (path: string): readonly string[] => {
  if (!existsSync(path)) return [];
  try {
    return readdirSync(path).filter((name) => !name.endsWith(NEW));
  } catch {
    throw new CommandError(`--out ${path} is not a folder`);
  }
};

const readProgress = (path: string, scope: ExportScope): Progress => {
  const progress = JSON.parse(readFileSync(join(path, PROGRESS_FILE), 'utf8')) as Progress;
  const { from, to, tenant, stream } = progress.scope;
  if (from === scope.from && to === scope.to && tenant === scope.tenant && stream === scope.stream) return progress;
  const options = Object.entries(progress.scope).flatMap(([name, value]) => (value === null ? [] : [`--${name} ${value}`]));
  throw new CommandError(
    `--out ${path} has an unfinished export with ${options.join(' ') || 'no options'}: pass the same options to continue it, or another folder`,
  );
};

const syncFile = (path: string): void => {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

const CHUNK = 1_048_576;

/**
 * Yields the bytes of a file, by default all of them. All chunks share one buffer, so a chunk is valid only until the next chunk is
 * read.
 */
export const chunksOf = function* (path: string, end = Infinity): Generator<Uint8Array> {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(CHUNK);
    for (let at = 0; at < end;) {
      const length = readSync(file, buffer, 0, Math.min(CHUNK, end - at), at);
      if (length === 0) return;
      at += length;
      yield buffer.subarray(0, length);
    }
  } finally {
    closeSync(file);
  }
};

/** The manifest of an export, and the part of a file that has its events. */
export type ExportFiles = { readonly manifest: string; readonly events: { readonly path: string; readonly size: number } };

/** Opens an export: a folder, or an export file (contract 35.6). Throws CommandError if it is neither. */
export const openExport = (path: string): ExportFiles => {
  try {
    const found = statSync(path);
    if (found.isFile()) return openFile(path, found.size);
    const events = join(path, EVENTS_FILE);
    return { manifest: readFileSync(join(path, MANIFEST_FILE), 'utf8'), events: { path: events, size: statSync(events).size } };
  } catch (error) {
    throw new CommandError(`${path} is not a finished export: ${reasonOf(error)}`);
  }
};

const openFile = (path: string, size: number): ExportFiles => {
  const file = openSync(path, 'r');
  try {
    const read = (from: number, to: number): Buffer => {
      const bytes = Buffer.alloc(to - from);
      return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from));
    };
    const start = manifestStart(size, read);
    if (start === null) throw new Error('its last line is no manifest');
    return { manifest: read(start, size).toString(), events: { path, size: start } };
  } finally {
    closeSync(file);
  }
};
