/** Matches comma-separated entity tags. Weak tags begin with `W/`. */
const TAGS = /^\s*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:\s*,\s*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")*\s*(?:,\s*)?$/;
const TAG = /(W\/)?"([^"]*)"/g;

/**
 * Parses an If-Match header. Returns `any` for `*`, the strong tags without quotes, or null if the header is
 * malformed. Omits weak tags, which never match (RFC 9110, 13.1.1).
 */
export const parseIfMatch = (header: string): 'any' | readonly string[] | null => {
  if (header.trim() === '*') return 'any';
  if (!TAGS.test(header)) return null;
  return [...header.matchAll(TAG)].filter(([, weak]) => weak === undefined).map(([, , tag]) => tag ?? '');
};

/**
 * Parses the If-None-Match header of a change. Returns `any` for `*`, the tags without quotes, or null if the
 * header is malformed. Includes weak tags, which also match (RFC 9110, 13.1.2).
 */
export const parseIfNoneMatch = (header: string): 'any' | readonly string[] | null => {
  if (header.trim() === '*') return 'any';
  return TAGS.test(header) ? [...header.matchAll(TAG)].map(([, , tag]) => tag ?? '') : null;
};

/**
 * Returns whether the If-None-Match header of a read matches the tag `etag`, which has no quotes (contract 8.2). `*`
 * matches every tag, and weak tags also match (RFC 9110, 13.1.2). A malformed header matches no tag.
 */
export const hasEntityTag = (header: string, etag: string): boolean => {
  if (header === `"${etag}"` || header.trim() === '*') return true;
  if (!TAGS.test(header)) return false;
  for (const [, , tag] of header.matchAll(TAG)) if (tag === etag) return true;
  return false;
};
