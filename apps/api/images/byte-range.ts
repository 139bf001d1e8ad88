/** A range of bytes. `from` is its first byte, and `to` is the first byte after it. */
export type ByteRange = { readonly from: number; readonly to: number };

/** Matches a header with one range. Numbers of at most 15 digits are exact in JavaScript. */
const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/i;

/**
 * Returns the range that a Range header requests from a content of `size` bytes (RFC 9110, 14.1). Returns `all` without a
 * header. Also returns `all` for several ranges, another unit or an invalid range, because a server may ignore such a
 * header. Returns `none` if the content has no byte of the range.
 */
export const byteRange = (header: string | undefined, size: number): ByteRange | 'all' | 'none' => {
  const [, first, last] = RANGE.exec(header?.trim() ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'all';
  // A range such as `bytes=-500` names the last 500 bytes.
  if (first === '') return Number(last) === 0 || size === 0 ? 'none' : { from: Math.max(0, size - Number(last)), to: size };
  if (last !== '' && Number(last) < Number(first)) return 'all';
  if (Number(first) >= size) return 'none';
  return { from: Number(first), to: last === '' ? size : Math.min(size, Number(last) + 1) };
};
