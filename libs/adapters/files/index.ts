export { BLOB_FOLDER, FileBlobs } from './file-blobs.js';
export { memoryBlobs } from './memory-blobs.js';
