import { createHmac, randomBytes as cryptoRandomBytes } from 'node:crypto';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Ids } from '../../eventsourcing/ports/ids.port.js';

/** The 62 random bits of one id come out of 8 bytes, whose first two bits give way to the variant. */
const BYTES_PER_ID = 8;
/** Randomness is fetched for this many ids at once: one call for each would cost more than the id. */
const IDS_PER_BLOCK = 1024;
const LAST_COUNT = 0xfff;
/** RFC 9562, 4.1: the variant's bits are 10, so its digit is one of these. */
const VARIANT_DIGITS = '89ab';

const variantDigit = (byte: number): string => VARIANT_DIGITS.charAt((byte >> 4) & 3);

/** Hands out the random part of ids, `vrrr-rrrrrrrrrrrr`, from blocks of random bytes. */
const randomTails = (randomBytes: (size: number) => Uint8Array): (() => string) => {
  let block = new Uint8Array();
  let digits = '';
  let used = 0;
  return () => {
    if (used === block.length) {
      block = new Uint8Array(randomBytes(BYTES_PER_ID * IDS_PER_BLOCK));
      digits = Buffer.from(block).toString('hex');
      used = 0;
    }
    const start = used * 2;
    const tail = `${variantDigit(block[used])}${digits.slice(start + 1, start + 4)}-${digits.slice(start + 4, start + 16)}`;
    used += BYTES_PER_ID;
    return tail;
  };
};

/**
 * Hands out `tttttttt-tttt-7ccc`: 48 bits of milliseconds and a 12-bit counter that grows within a millisecond. When the
 * counter is full, the next millisecond is borrowed; when the clock goes back, the last one seen is kept. So every id
 * is greater than the one before (RFC 9562, 6.2, method 1).
 */
const growingHeads = (clock: Clock): (() => string) => {
  let millisecond = -1;
  let count = 0;
  let time = '';
  const enter = (next: number): void => {
    millisecond = next;
    count = 0;
    const digits = next.toString(16).padStart(12, '0');
    time = `${digits.slice(0, 8)}-${digits.slice(8)}-7`;
  };
  return () => {
    const now = clock.now().getTime();
    if (now > millisecond) enter(now);
    else if (count === LAST_COUNT) enter(millisecond + 1);
    else count++;
    return time + count.toString(16).padStart(3, '0');
  };
};

/** Each part behind its length, so that no two lists of parts give the same bytes. */
const lengthPrefixed = (parts: readonly string[]): Uint8Array[] =>
  parts.flatMap((part) => {
    const bytes = Buffer.from(part);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return [length, bytes];
  });

const derived = (key: Uint8Array, ...parts: readonly string[]): string => {
  const hmac = createHmac('sha256', key);
  for (const bytes of lengthPrefixed(parts)) hmac.update(bytes);
  const digest = hmac.digest();
  const hex = digest.toString('hex');
  // RFC 9562, 5.8: a UUID of version 8 carries the maker's own 122 bits.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variantDigit(digest[8])}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/** The identifiers of one process. `randomBytes` is replaced where a whole run is to be repeated from a seed. */
export const createIds = (clock: Clock, randomBytes: (size: number) => Uint8Array = cryptoRandomBytes): Ids => {
  const head = growingHeads(clock);
  const tail = randomTails(randomBytes);
  return { next: () => `${head()}-${tail()}`, derived };
};
