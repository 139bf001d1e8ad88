/**
 * RFC 8785 canonical JSON. ECMAScript already writes numbers and strings as the RFC asks, so what is left is to sort
 * the keys by UTF-16 code units and to leave out what is undefined.
 */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const object = value as Record<string, unknown>;
  let text = '';
  for (const key of Object.keys(object).sort()) {
    const member = object[key];
    if (member !== undefined) text += `${text && ','}${JSON.stringify(key)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
};
