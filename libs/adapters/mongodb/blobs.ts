import { GridFSBucket, ObjectId, type Db } from 'mongodb';
import type { Blobs, ListedBlob, OpenBlob } from '../../ports/blobs.port.js';
import { toPortError, withPortErrors } from './connection/failures.js';

/** The collections are `images.files` and `images.chunks`. */
const BUCKET = 'images';

type FileRecord = { readonly _id: ObjectId; readonly length: number; readonly filename: string; readonly uploadDate: Date };
type ChunkRecord = { readonly files_id: ObjectId; readonly n: number };

/**
 * Creates the indexes of GridFS. The driver creates these indexes only before it stores the first file. A database that was
 * restored with files but without indexes would therefore never get them.
 */
export const prepareBlobs = async (database: Db): Promise<void> => {
  await database.collection<FileRecord>(`${BUCKET}.files`).createIndex({ filename: 1, uploadDate: 1 });
  await database.collection<ChunkRecord>(`${BUCKET}.chunks`).createIndex({ files_id: 1, n: 1 }, { unique: true });
};

/**
 * Stores blobs in GridFS, which stores a file as one record and several chunks. Each file has a new id. If the id were the
 * name of the blob, the chunks of an interrupted `put` would conflict with the chunks of each later `put`. Concurrent calls
 * of `put` may store several files with one name. Their bytes are equal, because the name contains the digest of the bytes.
 */
export class GridFsBlobs implements Blobs {
  private readonly bucket: GridFSBucket;

  constructor(private readonly database: Db) {
    this.bucket = new GridFSBucket(database, { bucketName: BUCKET });
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    if (await this.renew(name)) return;
    await withPortErrors(
      () =>
        new Promise<void>((resolve, reject) => {
          const upload = this.bucket.openUploadStream(name);
          upload.once('error', reject).once('finish', () => resolve());
          upload.end(bytes);
        }),
    );
  }

  async open(name: string): Promise<OpenBlob | null> {
    const found = await this.find(name);
    return found && { size: found.length, read: (from = 0, to = found.length) => this.read(found, from, to) };
  }

  async remove(name: string, storedBefore?: Date): Promise<void> {
    const ifOld = storedBefore && { uploadDate: { $lt: storedBefore } };
    await withPortErrors(async () => {
      for (const { _id } of await this.files()
        .find({ filename: name, ...ifOld })
        .toArray()) {
        // The record in `files` is deleted first, because a blob without that record is not found. If this call is
        // interrupted, `removeUnfinished` removes the chunks. `ifOld` applies again, because `put` may
        // have renewed the blob's time since the query.
        const { deletedCount } = await this.files().deleteOne({ _id, ...ifOld });
        if (deletedCount > 0) await this.chunks().deleteMany({ files_id: _id });
      }
    });
  }

  /** Sets the time of a stored blob to the current time. Returns false if no blob has this name. */
  private async renew(name: string): Promise<boolean> {
    const { matchedCount } = await withPortErrors(() => this.files().updateOne({ filename: name }, { $set: { uploadDate: new Date() } }));
    return matchedCount > 0;
  }

  async *list(): AsyncIterable<ListedBlob> {
    try {
      for await (const { filename, uploadDate } of this.files().find({}, { projection: { filename: 1, uploadDate: 1 } }))
        yield { name: filename, storedAt: uploadDate };
    } catch (error) {
      throw toPortError(error);
    }
  }

  async removeUnfinished(before: Date): Promise<void> {
    const chunks = this.chunks();
    // The id of a file is created when its `put` starts. It is an ObjectId, which begins with this time in seconds.
    const started = { $lt: ObjectId.createFromTime(Math.floor(before.getTime() / 1_000)) };
    await withPortErrors(async () => {
      const unfinished = chunks.aggregate<ChunkRecord>([
        { $match: { files_id: started, n: 0 } },
        { $lookup: { from: `${BUCKET}.files`, localField: 'files_id', foreignField: '_id', as: 'file' } },
        { $match: { file: [] } },
        { $project: { files_id: 1 } },
      ]);
      for await (const { files_id } of unfinished) await chunks.deleteMany({ files_id });
    });
  }

  private find(name: string): Promise<FileRecord | null> {
    return withPortErrors(() => this.files().findOne({ filename: name }));
  }

  private async *read({ _id }: FileRecord, from: number, to: number): AsyncIterable<Uint8Array> {
    if (to <= from) return;
    try {
      yield* this.bucket.openDownloadStream(_id, { start: from, end: to }) as AsyncIterable<Buffer>;
    } catch (error) {
      throw toPortError(error);
    }
  }

  private files() {
    return this.database.collection<FileRecord>(`${BUCKET}.files`);
  }

  private chunks() {
    return this.database.collection<ChunkRecord>(`${BUCKET}.chunks`);
  }
}
