export type RateLimit = { readonly limit: number; readonly windowSeconds: number };

/** Why a text is not the value of its setting, and what would be. */
type Unreadable = { readonly unreadable: string };
/** What the text of a setting says. */
export type Parse<T> = (text: string) => T | Unreadable;

const unreadable = (expected: string): Unreadable => ({ unreadable: expected });
export const isUnreadable = (value: unknown): value is Unreadable => typeof value === 'object' && value !== null && 'unreadable' in value;

/** Whatever it says. */
export const textFrom: Parse<string> = (text) => text;

export const oneOf =
  <T extends string>(values: readonly T[]): Parse<T> =>
  (text) =>
    values.find((value) => value === text) ?? unreadable(`say one of ${values.join(', ')}`);

export const listOf =
  <T>(parse: Parse<T>): Parse<readonly T[]> =>
  (text) => {
    const values: T[] = [];
    for (const part of text.split(',')) {
      const value = parse(part.trim());
      if (isUnreadable(value)) return value;
      values.push(value);
    }
    return values;
  };

export const portFrom: Parse<number> = (text) =>
  /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : unreadable('say a number from 0 to 65535');

export const hostFrom: Parse<string> = (text) =>
  /^[\w.:-]+$/.test(text) ? text : unreadable('say an address or a host name, as 127.0.0.1');

export const publicUrlFrom: Parse<string> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : null;
  const plain = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password;
  return plain ? text.replace(/\/+$/, '') : unreadable('say an http or https URL without query, fragment or credentials');
};

export const proxyFrom: Parse<string> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : null;
  const plain = url && url.protocol === 'http:' && url.hostname && url.pathname === '/' && !url.search && !url.hash;
  return plain && areDecodable(url.username, url.password) ? text : unreadable('say an address as http://proxy.example.com:3128');
};

const areDecodable = (...texts: readonly string[]): boolean => texts.every((text) => !/%(?![\da-f]{2})/i.test(text));

export const originFrom: Parse<string> = (text) =>
  URL.canParse(text) && new URL(text).origin === text ? text : unreadable('say origins as https://shop.example.com, without a path');

const ADDRESS_RANGE = /^(?:(?:\d{1,3}\.){3}\d{1,3}(?:\/(?:[12]?\d|3[0-2]))?|[\da-f:]*:[\da-f:.]*(?:\/(?:\d{1,2}|1[01]\d|12[0-8]))?)$/i;

export const addressRangeFrom: Parse<string> = (text) =>
  ADDRESS_RANGE.test(text) ? text : unreadable('say addresses or CIDRs, as 10.0.0.0/8');

const schemeFrom =
  (example: string, ...schemes: readonly string[]): Parse<string> =>
  (text) =>
    schemes.some((scheme) => text.startsWith(`${scheme}://`)) && text.length > example.indexOf('//') + 2
      ? text
      : unreadable(`say an address as ${example}`);

export const eventStoreUrlFrom = schemeFrom('esdb://host:2113', 'esdb', 'esdb+discover');
const mongoAddressFrom = schemeFrom('mongodb://host/petstore?replicaSet=rs0', 'mongodb', 'mongodb+srv');

/** In its own databases the server allows no transactions. */
export const mongoUrlFrom: Parse<string> = (text) =>
  /^[^:]+:\/\/[^/?]+\/(admin|config|local)(\?|$)/i.test(text)
    ? unreadable("say another database than admin, config or local, which are the server's own; where users are kept says authSource=admin")
    : mongoAddressFrom(text);

export const brokerFrom: Parse<string> = (text) =>
  /^[\w.-]+:\d{1,5}$/.test(text)
    ? text
    : unreadable('say brokers as host:9092,host:9092; who this is say KAFKA_USERNAME and KAFKA_PASSWORD');

export const replicationFrom: Parse<number> = (text) => (/^[1-9]$/.test(text) ? Number(text) : unreadable('say a number from 1 to 9'));

const WRAPPING_KEY_BYTES = 32;

export const wrappingKeyFrom: Parse<Uint8Array> = (text) => {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === WRAPPING_KEY_BYTES && /^[\w+/-]+=*$/.test(text)
    ? new Uint8Array(bytes)
    : unreadable('say 32 bytes in base64, as "openssl rand -base64 32" prints them');
};

export const delayFrom: Parse<number> = (text) => (/^0(ms|[smhd])$/.test(text) ? 0 : durationFrom(text));

export const waitFrom: Parse<number> = (text) => (text === 'off' ? 0 : durationFrom(text));

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export const durationFrom: Parse<number> = (text) => {
  const [, count, unit] = /^([1-9]\d{0,6})(ms|[smhd])$/.exec(text) ?? [];
  const milliseconds = Number(count) * (UNITS[unit ?? ''] ?? Number.NaN);
  return Number.isFinite(milliseconds) ? milliseconds : unreadable('say a time as 30s, 15m, 24h or 7d');
};

export const rateLimitFrom: Parse<RateLimit | 'off'> = (text) => {
  if (text === 'off') return 'off';
  const [, limit, window] = /^([1-9]\d{0,8})\/(\w+)$/.exec(text) ?? [];
  const milliseconds = durationFrom(window ?? '');
  return isUnreadable(milliseconds)
    ? unreadable('say requests per time as 600/60s, or off')
    : { limit: Number(limit), windowSeconds: milliseconds / 1000 };
};
