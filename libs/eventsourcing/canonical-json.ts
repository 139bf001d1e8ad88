/** Caches the JSON text of each member name. Events have only a few different member names. */
const names = new Map<string, string>();
/** The cache is cleared at this size, because JSON from clients can have any number of different member names. */
const MAX_NAMES = 10_000;

const memberNameOf = (key: string): string => {
  let name = names.get(key);
  if (name === undefined) {
    if (names.size >= MAX_NAMES) names.clear();
    names.set(key, (name = `${JSON.stringify(key)}:`));
  }
  return name;
};

/**
 * Returns RFC 8785 canonical JSON: sorts the keys by UTF-16 code units, and omits undefined members. `JSON.stringify` already
 * writes numbers and strings as the RFC requires.
 */
export const canonicalJson = (value: unknown): string => {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  const object = value as Record<string, unknown>;
  let text = '';
  for (const key of Object.keys(object).sort()) {
    const member = object[key];
    if (member !== undefined) text += `${text && ','}${memberNameOf(key)}${canonicalJson(member)}`;
  }
  return `{${text}}`;
};

/** Returns JSON text in its canonical form, in which the order of members does not matter. Other text stays as it is. */
export const canonicalText = (text: string): string => {
  try {
    return canonicalJson(JSON.parse(text));
  } catch {
    return text;
  }
};
