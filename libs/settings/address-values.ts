import { listOf, type Form } from './setting-values.js';

/** Matches an IPv4 address: four numbers from 0 to 255, with dots between them. */
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
/** Matches a host name. Its last label is never a number, because a text such as `10.0.0.256` is a mistyped IP address. */
const HOST_NAME = /^(?=.{1,253}$)(?:[a-z\d_](?:[\w-]{0,61}[a-z\d_])?\.)*(?!\d+$)[a-z\d_](?:[\w-]{0,61}[a-z\d_])?$/i;

const isIpv6 = (text: string): boolean => /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`);
const isHost = (text: string): boolean => IPV4.test(text) || HOST_NAME.test(text);
const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;

/** Returns whether each `%` in the texts begins a percent-encoded byte. */
const arePercentEncoded = (...texts: readonly string[]): boolean => texts.every((text) => !/%(?![\da-f]{2})/i.test(text));

/** An address at which the service listens. */
export const hostForm: Form<string> = {
  expected: 'an IP address or a host name, for example ::1 or pets.example.com',
  parse: (text) => (isHost(text) || isIpv6(text) ? text : undefined),
};

/** Returns whether a host is reachable only from this machine. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);

/** Parses an absolute http or https URL without spaces and backslashes. Returns null for any other text. */
const httpUrl = (text: string): URL | null => {
  if (!/^https?:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  const hasHost = isHost(url.hostname) || (url.hostname.startsWith('[') && isIpv6(url.hostname.slice(1, -1)));
  return hasHost && url.port !== '0' ? url : null;
};

/** The URL at which clients reach the service, without a trailing slash. Links in responses begin with it. */
export const publicUrlForm: Form<string> = {
  expected: 'an http or https URL without query, fragment or credentials, for example https://pets.example.com',
  parse: (text) => {
    const url = /[?#]/.test(text) ? null : httpUrl(text);
    return url && !url.username && !url.password && arePercentEncoded(url.pathname) ? url.href.replace(/\/+$/, '') : undefined;
  },
};

/** The URL of an issuer of tokens. The text is not normalized, because the claim `iss` must equal it in every character. */
export const issuerForm: Form<string> = {
  expected: 'an http or https URL without query, fragment or credentials, for example https://login.example.com/realms/pets',
  parse: (text) => (publicUrlForm.parse(text) === undefined ? undefined : text),
};

/** Returns whether a URL is on a loopback address. */
export const isLoopbackUrl = (url: string): boolean => isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, ''));

/** Returns whether a URL is http on a loopback address. Only requests to such a URL are safe without TLS. */
export const isPlainLoopback = (url: string): boolean => new URL(url).protocol === 'http:' && isLoopbackUrl(url);

/** A proxy for outgoing requests. */
export const proxyForm: Form<string> = {
  expected: 'an http address without a path, for example http://user:password@proxy.example.com:3128',
  parse: (text) => {
    const url = httpUrl(text);
    const isPlain = url && url.protocol === 'http:' && url.pathname === '/' && !/[?#]/.test(text);
    return isPlain && arePercentEncoded(url.username, url.password) ? text : undefined;
  },
};

/** The URL of a collector of traces. Credentials for it belong in OTEL_EXPORTER_OTLP_HEADERS, which OpenTelemetry reads. */
export const collectorForm: Form<string> = {
  expected: 'an http or https URL without query, fragment or credentials, for example http://127.0.0.1:4318',
  parse: (text) => publicUrlForm.parse(text),
};

/** Origins in the form that browsers send. */
export const originsForm: Form<readonly string[]> = listOf(
  'origins without a path, separated by commas, for example https://shop.example.com',
  (text) => (httpUrl(text)?.origin === text ? text : undefined),
);

/** Returns whether a text is an IP address, or a CIDR with a prefix of at least one bit. */
const isRange = (text: string): boolean => {
  const [address = '', bits, ...rest] = text.split('/');
  const most = IPV4.test(address) ? 32 : isIpv6(address) ? 128 : 0;
  return most > 0 && rest.length === 0 && (bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most));
};

/** The addresses of trusted proxies. `/0` is rejected, because it would trust the X-Forwarded-For header of every client. */
export const rangesForm: Form<readonly string[]> = listOf(
  'IP addresses or CIDRs (/0 is not accepted), separated by commas, for example 10.0.0.0/8,192.168.1.1',
  (text) => (isRange(text) ? text : undefined),
);

const isHostAndPort = (text: string): boolean => {
  const [, ipv6, host = '', port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(.*))?$/.exec(text) ?? [];
  return (ipv6 === undefined ? isHost(host) : isIpv6(ipv6)) && (port === undefined || isPort(port));
};

/**
 * Returns whether a text is an address of servers with one of the schemes, in the form
 * `scheme://user:password@host:port,host:port/path?option=value`.
 */
const areServers = (text: string, ...schemes: readonly string[]): boolean => {
  const [, scheme = '', login, hosts = '', path = '', options = ''] =
    /^([a-z+]+):\/\/(?:([^@/?#\s]*)@)?([^@/?#\s]+)(\/[^?#\s]*)?(?:\?([^#\s]*))?$/i.exec(text) ?? [];
  return (
    schemes.includes(scheme) &&
    (login === undefined || /^[^:]+(?::[^:]*)?$/.test(login)) &&
    arePercentEncoded(login ?? '', path, options) &&
    hosts.split(',').every(isHostAndPort) &&
    (options === '' || options.split('&').every((option) => /^[^=]+=[^=]+/.test(option)))
  );
};

/** The address of EventStoreDB, which stores the log. */
export const eventStoreForm: Form<string> = {
  expected: 'an address, for example esdb://host:2113 or esdb+discover://user:password@host:2113',
  parse: (text) => (areServers(text, 'esdb', 'esdb+discover') ? text : undefined),
};

/** MongoDB's internal databases, which allow no transactions. */
const INTERNAL_DATABASE = /^[^:]+:\/\/[^/?]+\/(admin|config|local)(\?|$)/i;

/** The address of MongoDB, which stores the read models and the keys. */
export const mongoForm: Form<string> = {
  expected:
    'an address, for example mongodb://host/petstore?replicaSet=rs0. The database must not be admin, config or local; if the user is stored in admin, add authSource=admin',
  parse: (text) => (areServers(text, 'mongodb', 'mongodb+srv') && !INTERNAL_DATABASE.test(text) ? text : undefined),
};

/** The Kafka brokers that store the topics. */
export const brokersForm: Form<readonly string[]> = listOf(
  'brokers with ports and without a login, separated by commas, for example host:9092,host:9092',
  (text) => (/:\d+$/.test(text) && isHostAndPort(text) ? text : undefined),
);
