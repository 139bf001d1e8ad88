import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, rmSync, statSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import { reasonOf } from '../../eventsourcing/reason.js';
import type { Blobs, ListedBlob, OpenBlob } from '../../ports/blobs.port.js';

/** The folder of the blobs, in the folder of the store. */
export const BLOB_FOLDER = 'images';
/** Suffix of a file that is being written. The name of a blob cannot end with it, because NAME does not match `~`. */
const UNFINISHED = '~part';
/** The names of blobs, as the port defines them. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,199}$/;

const isMissing = (error: unknown): boolean => typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';

/** Runs `work`. Rejects with StoreUnavailable if the work fails. */
const withPortErrors = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw new StoreUnavailable(`the folder of the images cannot be used: ${reasonOf(error)}`, { cause: error });
  }
};

/** Returns the result of `work`, or null if its file or folder does not exist. */
const ifPresent = async <T>(work: Promise<T>): Promise<T | null> => {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
};

/** Makes new names in a folder durable: the names of its files and folders survive a power failure. */
const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Stores each blob in a file below `images` in a store's folder. Several processes may use the folder. */
export class FileBlobs implements Blobs {
  private readonly root: string;

  constructor(private readonly directory: string) {
    this.root = join(directory, BLOB_FOLDER);
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    const path = this.pathOf(name);
    await withPortErrors(async () => {
      const folder = join(path, '..');
      const isNew = (await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined;
      const unfinished = `${path}.${randomUUID()}${UNFINISHED}`;
      try {
        await this.write(unfinished, bytes);
        await rename(unfinished, path);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
      await syncFolder(folder);
      // The name of a new folder must also survive a power failure, and so must the name of a new root.
      if (isNew) for (const parent of [this.root, this.directory]) await syncFolder(parent);
    });
  }

  async open(name: string): Promise<OpenBlob | null> {
    const path = this.pathOf(name);
    const found = await withPortErrors(() => ifPresent(stat(path)));
    return found && { size: found.size, read: (from = 0, to = found.size) => readFile(path, from, to) };
  }

  async remove(name: string, storedBefore?: Date): Promise<void> {
    const path = this.pathOf(name);
    await withPortErrors(async () => {
      // The check and the removal are synchronous, so that no `put` of this process can renew the file between them.
      const found = storedBefore && statSync(path, { throwIfNoEntry: false });
      if (!storedBefore || (found && found.mtime < storedBefore)) rmSync(path, { force: true });
    });
  }

  async *list(): AsyncIterable<ListedBlob> {
    for await (const { name, path } of this.files()) {
      if (name.endsWith(UNFINISHED)) continue;
      const found = await withPortErrors(() => ifPresent(stat(path)));
      if (found) yield { name, storedAt: found.mtime };
    }
  }

  async removeUnfinished(before: Date): Promise<void> {
    for await (const { name, path } of this.files()) {
      if (!name.endsWith(UNFINISHED)) continue;
      const found = await withPortErrors(() => ifPresent(stat(path)));
      if (found && found.mtime < before) await withPortErrors(() => rm(path, { force: true }));
    }
  }

  private async write(path: string, bytes: Uint8Array): Promise<void> {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      // The clock of the file system may be behind by some milliseconds, and that of a file server by more.
      const now = new Date();
      await file.utimes(now, now);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  private async *files(): AsyncIterable<{ readonly name: string; readonly path: string }> {
    const folders = (await withPortErrors(() => ifPresent(readdir(this.root)))) ?? [];
    for (const folder of folders)
      for (const name of (await withPortErrors(() => ifPresent(readdir(join(this.root, folder))))) ?? [])
        yield { name, path: join(this.root, folder, name) };
  }

  /** Returns the path of a blob's file. The files are in 256 folders, because a folder with very many files is slow. */
  private pathOf(name: string): string {
    if (!NAME.test(name)) throw new Error(`${JSON.stringify(name)} is not a valid name of a blob`);
    return join(this.root, createHash('sha256').update(name).digest('hex').slice(0, 2), name);
  }
}

async function* readFile(path: string, from: number, to: number): AsyncIterable<Uint8Array> {
  if (to <= from) return;
  try {
    yield* createReadStream(path, { start: from, end: to - 1 }) as AsyncIterable<Buffer>;
  } catch (error) {
    throw new StoreUnavailable(`an image cannot be read: ${reasonOf(error)}`, { cause: error });
  }
}
