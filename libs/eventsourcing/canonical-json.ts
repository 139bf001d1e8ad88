/** Member names as they are written, each worked out once: there are as many as the events' declarations name. */
const names = new Map<string, string>();
const MOST_NAMES = 10_000;

const nameOf = (key: string): string => {
  let name = names.get(key);
  if (name === undefined) {
    if (names.size >= MOST_NAMES) names.clear();
    names.set(key, (name = `${JSON.stringify(key)}:`));
  }
  return name;
};

/**
 * RFC 8785 canonical JSON. ECMAScript already writes numbers and strings as the RFC asks, so what is left is to sort
 * the keys by UTF-16 code units and to leave out what is undefined.
 */
export const canonicalJson = (value: unknown): string => {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  const object = value as Record<string, unknown>;
  let text = '';
  for (const key of Object.keys(object).sort()) {
    const member = object[key];
    if (member !== undefined) text += `${text && ','}${nameOf(key)}${canonicalJson(member)}`;
  }
  return `{${text}}`;
};
