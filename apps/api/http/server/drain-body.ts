import type { Readable } from 'node:stream';
import { after } from './machine-time.js';

/** The limits for reading the rest of a rejected body. */
const LIMITS = { bytes: 16 * 1_048_576, milliseconds: 1_000 };

/**
 * Discards the rest of a rejected body. When the body ends or exceeds a limit, calls `then`, which sends the response. Without
 * this function, the server would send the response and close the connection while the body still arrives. That would reset
 * the connection, and the client could lose the response (RFC 9112, 9.6).
 */
export const drainBody = (body: Readable, then: () => void, { bytes, milliseconds } = LIMITS): void => {
  if (body.readableEnded || body.destroyed) return then();
  let received = 0;
  const count = (chunk: Uint8Array): void => {
    received += chunk.length;
    if (received >= bytes) end();
  };
  const end = (): void => {
    cancelTimer();
    body.off('data', count).off('end', end).off('close', end);
    then();
  };
  const cancelTimer = after(milliseconds, end);
  body.on('data', count).on('end', end).on('close', end);
};
