import { createHmac, randomBytes as cryptoRandomBytes } from 'node:crypto';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Ids } from '../../eventsourcing/ports/ids.port.js';

/** An id has 62 random bits: 8 random bytes, whose first two bits are replaced by the variant. */
const BYTES_PER_ID = 8;
/** One call of `randomBytes` gets the bytes for this many ids: a call takes longer than all other work for one id. */
const IDS_PER_BLOCK = 1024;
/** The largest value of the 12-bit counter. */
const LAST_COUNT = 0xfff;
/** RFC 9562, 4.1: the hexadecimal digit of the variant begins with the bits 1 and 0. So the digit is 8, 9, a or b. */
const VARIANT_DIGITS = '89ab';

const variantDigit = (byte: number): string => VARIANT_DIGITS.charAt((byte >> 4) & 3);

/** Returns a generator of the random part of ids, `vrrr-rrrrrrrrrrrr`, from blocks of random bytes. */
const createTailGenerator = (randomBytes: (size: number) => Uint8Array): (() => string) => {
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
 * Returns a generator of the first part of ids, `tttttttt-tttt-7ccc`: 48 bits of milliseconds and a 12-bit
 * counter within the millisecond. A full counter moves the time to the next millisecond. When the clock goes
 * back, the time stays the same. So every id is greater than the previous one (RFC 9562, 6.2, method 1).
 */
const createHeadGenerator = (clock: Clock): (() => string) => {
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

/** Prefixes each part with its length, so that different lists of parts give different bytes. */
const lengthPrefixed = (parts: readonly string[]): Uint8Array[] =>
  parts.flatMap((part) => {
    const bytes = Buffer.from(part);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return [length, bytes];
  });

const deriveId = (key: Uint8Array, ...parts: readonly string[]): string => {
  const hmac = createHmac('sha256', key);
  for (const bytes of lengthPrefixed(parts)) hmac.update(bytes);
  const digest = hmac.digest();
  const hex = digest.toString('hex');
  // RFC 9562, 5.8: a UUID of version 8 has 122 custom bits.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variantDigit(digest[8])}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/** Creates the id generator of one process. A deterministic run passes its own `randomBytes`. */
export const createIds = (clock: Clock, randomBytes: (size: number) => Uint8Array = cryptoRandomBytes): Ids => {
  const head = createHeadGenerator(clock);
  const tail = createTailGenerator(randomBytes);
  return { next: () => `${head()}-${tail()}`, derived: deriveId };
};
