import type { Readable } from 'node:stream';
import { after } from './machine-time.js';

/** How much of a body that is refused is read on, and for how long. */
const LIMITS = { bytes: 16 * 1_048_576, milliseconds: 1_000 };

/**
 * Calls `then` once the rest of a body has come and was thrown away, or enough of it. RFC 9112, 9.6: a server that closes
 * while bytes still come resets the connection, and the client may lose the answer that it has not read yet.
 */
export const afterTheRest = (body: Readable, then: () => void, { bytes, milliseconds } = LIMITS): void => {
  if (body.readableEnded || body.destroyed) return then();
  let come = 0;
  const count = (chunk: Uint8Array): void => {
    come += chunk.length;
    if (come >= bytes) end();
  };
  const end = (): void => {
    forget();
    body.off('data', count).off('end', end).off('close', end);
    then();
  };
  const forget = after(milliseconds, end);
  body.on('data', count).on('end', end).on('close', end);
};
