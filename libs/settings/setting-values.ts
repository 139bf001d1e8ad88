export type RateLimit = { readonly limit: number; readonly windowSeconds: number };

/** Why a text is not the value of its setting, and what would be. */
type Unreadable = { readonly unreadable: string };
/** What the text of a setting says. */
export type Parse<T> = (text: string) => T | Unreadable;

const unreadable = (expected: string): Unreadable => ({ unreadable: expected });
export const isUnreadable = (value: unknown): value is Unreadable => typeof value === 'object' && value !== null && 'unreadable' in value;

const CONTROL = /[\u0000-\u001f\u007f]/;

/** A name or a password: any text that fits on one line. */
export const textFrom: Parse<string> = (text) => (CONTROL.test(text) ? unreadable('say a text without control characters') : text);

/** A folder's path as it reaches this program: a shell has not filled in anything, which files of settings leave out. */
export const folderFrom: Parse<string> = (text) =>
  text === ':memory:' || (!CONTROL.test(text) && !/^[~:"'`]|["'`]$|\$[\w{(]|^[a-z][\w+.-]+:\/\/|^file:|^\/+$/i.test(text) && isShort(text))
    ? text
    : unreadable('say the path of a folder, as /var/lib/petstore, or :memory:');

const isShort = (path: string): boolean => path.length < 4_000 && path.split('/').every((part) => Buffer.byteLength(part) <= 255);

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

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
/** The last label of a name is never a number: such a text is a mistyped address. */
const HOST_NAME = /^(?=.{1,253}$)(?:[a-z\d_](?:[\w-]{0,61}[a-z\d_])?\.)*(?!\d+$)[a-z\d_](?:[\w-]{0,61}[a-z\d_])?$/i;

const isIpv6 = (text: string): boolean => /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`);
const isHost = (text: string): boolean => IPV4.test(text) || HOST_NAME.test(text);
const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;

export const hostFrom: Parse<string> = (text) =>
  isHost(text) || isIpv6(text) ? text : unreadable('say an address or a host name, as 127.0.0.1');

/** An absolute http or https URL in the form in which it is handed out: what is appended to it is a URL, also within JSON. */
const httpUrl = (text: string): URL | null => {
  if (!/^https?:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  const hasHost = isHost(url.hostname) || (url.hostname.startsWith('[') && isIpv6(url.hostname.slice(1, -1)));
  return hasHost && url.port !== '0' ? url : null;
};

export const publicUrlFrom: Parse<string> = (text) => {
  const url = /[?#]/.test(text) ? null : httpUrl(text);
  return url && !url.username && !url.password && areDecodable(url.pathname)
    ? url.href.replace(/\/+$/, '')
    : unreadable('say an http or https URL without query, fragment or credentials, as https://pets.example.com');
};

export const proxyFrom: Parse<string> = (text) => {
  const url = httpUrl(text);
  const plain = url && url.protocol === 'http:' && url.pathname === '/' && !/[?#]/.test(text);
  return plain && areDecodable(url.username, url.password) ? text : unreadable('say an address as http://proxy.example.com:3128');
};

const areDecodable = (...texts: readonly string[]): boolean => texts.every((text) => !/%(?![\da-f]{2})/i.test(text));

export const originFrom: Parse<string> = (text) =>
  httpUrl(text)?.origin === text ? text : unreadable('say origins as https://shop.example.com, without a path');

/** All of them (/0) is refused: then any client could name its own address. */
export const addressRangeFrom: Parse<string> = (text) => {
  const [address = '', bits, ...rest] = text.split('/');
  const most = IPV4.test(address) ? 32 : isIpv6(address) ? 128 : 0;
  const isRange = bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most);
  return most > 0 && isRange && rest.length === 0 ? text : unreadable('say addresses or CIDRs of your proxies, as 10.0.0.0/8, from /1 on');
};

/** Servers' addresses as their clients read them: `scheme://user:password@host:port,host:port/path?option=value`. */
const serversFrom =
  (example: string, ...schemes: readonly string[]): Parse<string> =>
  (text) => {
    const [, scheme = '', login, hosts = '', path = '', options = ''] =
      /^([a-z+]+):\/\/(?:([^@/?#\s]*)@)?([^@/?#\s]+)(\/[^?#\s]*)?(?:\?([^#\s]*))?$/i.exec(text) ?? [];
    const areRead =
      schemes.includes(scheme) &&
      (login === undefined || /^[^:]+(?::[^:]*)?$/.test(login)) &&
      areDecodable(login ?? '', path, options) &&
      hosts.split(',').every(isHostAndPort) &&
      (options === '' || options.split('&').every((option) => /^[^=]+=[^=]+/.test(option)));
    return areRead ? text : unreadable(`say an address as ${example}`);
  };

const isHostAndPort = (text: string): boolean => {
  const [, ipv6, host = '', port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(.*))?$/.exec(text) ?? [];
  return (ipv6 === undefined ? isHost(host) : isIpv6(ipv6)) && (port === undefined || isPort(port));
};

export const eventStoreUrlFrom = serversFrom('esdb://host:2113', 'esdb', 'esdb+discover');
const mongoAddressFrom = serversFrom('mongodb://host/petstore?replicaSet=rs0', 'mongodb', 'mongodb+srv');

/** In its own databases the server allows no transactions. */
export const mongoUrlFrom: Parse<string> = (text) =>
  /^[^:]+:\/\/[^/?]+\/(admin|config|local)(\?|$)/i.test(text)
    ? unreadable("say another database than admin, config or local, which are the server's own; where users are kept says authSource=admin")
    : mongoAddressFrom(text);

export const brokerFrom: Parse<string> = (text) =>
  /:\d+$/.test(text) && isHostAndPort(text)
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

/** Ten years: times that are reckoned with it stay within what a date can be. */
const LONGEST_DAYS = 3_650;

export const durationFrom: Parse<number> = (text) => {
  const [, count, unit] = /^([1-9]\d{0,6})(ms|[smhd])$/.exec(text) ?? [];
  const milliseconds = Number(count) * (UNITS[unit ?? ''] ?? Number.NaN);
  return milliseconds <= LONGEST_DAYS * 86_400_000 ? milliseconds : unreadable(`say a time as 30s, 15m, 24h or 7d, up to ${LONGEST_DAYS}d`);
};

export const rateLimitFrom: Parse<RateLimit | 'off'> = (text) => {
  if (text === 'off') return 'off';
  const [, limit, window] = /^([1-9]\d{0,8})\/(\w+)$/.exec(text) ?? [];
  const milliseconds = durationFrom(window ?? '');
  return isUnreadable(milliseconds) || milliseconds % 1000 !== 0
    ? unreadable('say requests per time as 600/60s, or off')
    : { limit: Number(limit), windowSeconds: milliseconds / 1000 };
};
