/** Matches comma-separated entity tags. Weak tags begin with `W/`. */
const TAGS = /^\s*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:\s*,\s*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")*\s*(?:,\s*)?$/;
const TAG = /(?:W\/)?"([^"]*)"/g;
/** Matches the end that Apache and Caddy append to the tag of a response that they compress. nginx and HAProxy make it weak. */
const CODING = /-(?:gzip|br|zstd)$/;

/**
 * Parses the If-Match or If-None-Match header of a change. Returns `any` for `*`, the revisions that the tags name, or null if the
 * header is malformed. A weak tag and a tag with the end of a coding name the same revision (contract 8.6).
 */
export const parseEntityTags = (header: string): 'any' | readonly string[] | null => {
  if (header.trim() === '*') return 'any';
  return TAGS.test(header) ? [...header.matchAll(TAG)].map(([, tag = '']) => tag.replace(CODING, '')) : null;
};

/**
 * Returns whether the If-None-Match header of a read matches the tag `etag`, which has no quotes (contract 8.2). `*`
 * matches every tag. A malformed header matches no tag.
 */
export const hasEntityTag = (header: string, etag: string): boolean => {
  if (header === `"${etag}"` || header.trim() === '*') return true;
  if (!TAGS.test(header)) return false;
  // A digest can end like a coding, so the whole tag is compared too.
  for (const [, tag = ''] of header.matchAll(TAG)) if (tag === etag || tag.replace(CODING, '') === etag) return true;
  return false;
};
