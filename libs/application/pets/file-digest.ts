import { createHash } from 'node:crypto';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';

/** The number of bytes of a piece. Hashing a piece takes some tenths of a millisecond. */
const PIECE_BYTES = 131_072;

/**
 * Returns the SHA-256 of a file as base64url. Hashes the file in pieces, and lets other requests run between two pieces. A
 * hash in another thread would need a copy of the file.
 */
export const digestOfFile = async (file: Uint8Array): Promise<string> => {
  const hash = createHash('sha256');
  for (let at = 0; at < file.length; at += PIECE_BYTES) {
    hash.update(file.subarray(at, at + PIECE_BYTES));
    await yieldToEventLoop();
  }
  return hash.digest('base64url');
};
