import { GridFSBucket, type Db, type GridFSFile, type ObjectId } from 'mongodb';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Blob, Blobs } from '../../ports/blobs.port.js';
import { answering, isDuplicate, named } from './connection/failures.js';

const BUCKET = 'blobs';

/** A file's name is the blob's id; its own id is new at each try, so that a try that was broken off stands in nobody's way. */
export const prepareBlobs = async (database: Db): Promise<void> => {
  await database.collection(`${BUCKET}.files`).createIndex({ filename: 1 }, { name: 'blob', unique: true });
};

/** Blobs in GridFS. A file is there once all of its pieces are. */
export class GridFsBlobs implements Blobs {
  private readonly bucket: GridFSBucket;

  constructor(private readonly database: Db) {
    this.bucket = new GridFSBucket(database, { bucketName: BUCKET });
  }

  put(id: string, bytes: Uint8Array, mediaType: string): Promise<void> {
    return answering(async () => {
      if (await this.fileOf(id)) return;
      const upload = this.bucket.openUploadStream(id, { metadata: { mediaType } });
      try {
        await pipeline(Readable.from([bytes]), upload);
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        // "The first stays": the pieces of this one are nobody's.
        await this.remove(upload.id);
      }
    });
  }

  get(id: string): Promise<Blob | null> {
    return answering(async () => {
      const file = await this.fileOf(id);
      if (!file) return null;
      return { bytes: this.bytesOf(file), length: file.length, mediaType: String(file.metadata?.['mediaType']) };
    });
  }

  delete(id: string): Promise<void> {
    return answering(async () => {
      const file = await this.fileOf(id);
      if (file) await this.remove(file._id);
    });
  }

  private async fileOf(id: string): Promise<GridFSFile | undefined> {
    const [file] = await this.bucket.find({ filename: id }, { limit: 1 }).toArray();
    return file;
  }

  private async *bytesOf({ _id }: GridFSFile): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of this.bucket.openDownloadStream(_id)) yield piece as Uint8Array;
    } catch (error) {
      throw named(error);
    }
  }

  /** The file first: what is read no more may lose its pieces. */
  private async remove(id: ObjectId): Promise<void> {
    await this.database.collection(`${BUCKET}.files`).deleteOne({ _id: id });
    await this.database.collection(`${BUCKET}.chunks`).deleteMany({ files_id: id });
  }
}
