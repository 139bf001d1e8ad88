/** Returns the quality of each media range in an Accept header. */
const qualities = (accept: string): ReadonlyMap<string, number> =>
  new Map(
    accept.split(',').map((range): [string, number] => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='));
      return [type, quality === undefined ? 1 : Number(quality.slice(2)) || 0];
    }),
  );

/**
 * Returns whether a client prefers an HTML page to JSON. Browsers send `text/html`. Programs send JSON or any type,
 * and get JSON.
 */
export const prefersHtml = (accept = ''): boolean => {
  const given = qualities(accept);
  const html = given.get('text/html') ?? 0;
  if (html === 0) return false;
  const json = Math.max(...['application/json', 'application/problem+json'].map((type) => given.get(type) ?? 0));
  if (json > 0) return html > json;
  return html >= (given.get('application/*') ?? given.get('*/*') ?? 0);
};
