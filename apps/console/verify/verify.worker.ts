import { reasonOf } from '../../../libs/eventsourcing/reason.js';
import type { Answer, Request } from '../verification.js';
import { UnusableInput, verifyFiles, type Bytes } from './verify-files.js';

/** The program of the worker, which ends after one verification. A worker may read files synchronously, as `verifyExport` does. */

const reader = new FileReaderSync();

const bytesOf = (blob: Blob): Bytes => ({
  size: blob.size,
  read: (from, to) => new Uint8Array(reader.readAsArrayBuffer(blob.slice(from, to))),
});

const answer = (message: Answer): void => postMessage(message);

addEventListener('message', ({ data }: MessageEvent<Request>) => {
  const { keys, copies } = data;
  try {
    const given = { keys: bytesOf(keys), copies: copies && bytesOf(copies), onProgress };
    const result = verifyFiles(data.kind === 'export' ? { ...given, files: data.files.map(bytesOf) } : { ...given, shown: data.shown });
    answer({ kind: 'result', result });
  } catch (error) {
    if (error instanceof UnusableInput) answer({ kind: 'unusable', unusable: { file: error.file, reason: error.message } });
    // A file may have been changed or removed since it was chosen.
    else if (error instanceof DOMException) answer({ kind: 'unusable', unusable: { file: 'export', reason: reasonOf(error) } });
    else throw error;
  }
});

const onProgress = (done: number, total: number): void => answer({ kind: 'progress', done, total });
