/** Comma-separated entity tags, weak ones with their `W/`. */
const TAGS = /^\s*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:\s*,\s*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")*\s*(?:,\s*)?$/;
const TAG = /(W\/)?"([^"]*)"/g;

/**
 * An If-Match header: any, the strong tags in it (without quotes), or unreadable. A weak tag never matches
 * (RFC 9110, 13.1.1).
 */
export const parseIfMatch = (header: string): 'any' | readonly string[] | null => {
  if (header.trim() === '*') return 'any';
  if (!TAGS.test(header)) return null;
  return [...header.matchAll(TAG)].filter(([, weak]) => weak === undefined).map(([, , tag]) => tag ?? '');
};

/**
 * An If-None-Match header of a change: any, the tags in it (without quotes), or unreadable. Weak tags count
 * too (RFC 9110, 13.1.2).
 */
export const parseIfNoneMatch = (header: string): 'any' | readonly string[] | null => {
  if (header.trim() === '*') return 'any';
  return TAGS.test(header) ? [...header.matchAll(TAG)].map(([, , tag]) => tag ?? '') : null;
};

/**
 * Whether an If-None-Match header names the tag (without quotes); weak tags match too (RFC 9110, 13.1.2).
 * One that is no list of tags names none.
 */
export const hasEntityTag = (header: string, etag: string): boolean => {
  if (header === `"${etag}"` || header.trim() === '*') return true;
  if (!TAGS.test(header)) return false;
  for (const [, , tag] of header.matchAll(TAG)) if (tag === etag) return true;
  return false;
};
