/** Returns the quality of each media range or coding in an Accept or Accept-Encoding header. The default is 1, and an invalid quality counts as 0. */
const qualities = (accept: string): ReadonlyMap<string, number> =>
  new Map(
    accept.split(',').map((range): [string, number] => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='));
      return [type, quality === undefined ? 1 : Number(quality.slice(2)) || 0];
    }),
  );

/**
 * Returns whether a client prefers an HTML page to JSON. Browsers name `text/html` in the Accept header. Programs name
 * JSON or accept any type, and get JSON.
 */
export const prefersHtml = (accept = ''): boolean => {
  const byType = qualities(accept);
  const html = byType.get('text/html') ?? 0;
  if (html === 0) return false;
  const json = Math.max(...['application/json', 'application/problem+json'].map((type) => byType.get(type) ?? 0));
  if (json > 0) return html > json;
  // The header names HTML but not JSON, so HTML also wins against a range with the same quality.
  return html >= (byType.get('application/*') ?? byType.get('*/*') ?? 0);
};

/** Returns whether an Accept header names this media type. Ranges such as `image/*` and types with quality 0 do not count. */
export const acceptsType = (accept = '', type: string): boolean => (qualities(accept).get(type) ?? 0) > 0;

/** Returns whether an Accept header has one of these media types or ranges. An empty header accepts any type. */
export const acceptsAny = (accept: string, types: readonly string[]): boolean =>
  accept.trim() === '' || types.some((type) => acceptsType(accept, type));

/** Returns the first of these content codings that an Accept-Encoding header permits, or null if it permits none of them. */
export const preferredCoding = <Coding extends string>(accept = '', codings: readonly Coding[]): Coding | null => {
  const byCoding = qualities(accept);
  return codings.find((coding) => (byCoding.get(coding) ?? byCoding.get('*') ?? 0) > 0) ?? null;
};
