import { isIP } from 'node:net';
import { allowedAddress, type Allowance } from './addresses.js';
import { isAllowedPort } from './ports.js';

/** The parts of a request's URL. A host name is not resolved yet. */
export type Destination = {
  /** Whether the scheme is https. */
  readonly secure: boolean;
  /** A name, or an address without brackets. */
  readonly host: string;
  readonly port: number;
  /** The value of the Host header: the host, with the port unless it is the default one. */
  readonly authority: string;
  /** The path with the query. */
  readonly path: string;
};

/** Why a URL is not allowed: a sentence for the client that supplied it. */
export type ForbiddenDestination = { readonly reason: string };

/** Matches a text without blanks and control characters. The URL parser would drop some of these characters. */
const WITHOUT_BLANKS_AND_CONTROLS = /^[^\p{Cc}\p{Cf}\p{Z}]+$/u;
/** The allowed schemes with their default ports. */
const SCHEMES: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** The last parts of names that resolve only within a machine or a network (`onion`: within Tor). */
const LOCAL_NAMES = ['localhost', 'localdomain', 'local', 'internal', 'intranet', 'private', 'corp', 'home', 'lan', 'home.arpa', 'onion'];

/**
 * Returns the parts of a URL, or why its scheme, host or port is not allowed. Recognises an IP address in any
 * notation, such as 0x7f.1.
 */
export const destinationOf = (text: string, allowance: Allowance): Destination | ForbiddenDestination => {
  const url = WITHOUT_BLANKS_AND_CONTROLS.test(text) && URL.canParse(text) ? new URL(text) : null;
  if (!url) return forbidden('It is not an absolute http or https URL.');
  const defaultPort = SCHEMES[url.protocol];
  if (defaultPort === undefined) return forbidden('Its scheme is neither http nor https.');
  if (url.username || url.password) return forbidden('It carries credentials.');
  // A trailing dot makes a name absolute. The checks below compare names without that dot.
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
  const port = url.port === '' ? defaultPort : Number(url.port);
  const reason = checkHost(host, allowance) ?? checkPort(host, port, allowance);
  const destination = { secure: url.protocol === 'https:', host, port, authority: url.host, path: `${url.pathname}${url.search}` };
  return reason === null ? destination : forbidden(reason);
};

/** Returns whether a name always resolves to this machine. */
export const isLocalhost = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

const forbidden = (reason: string): ForbiddenDestination => ({ reason });

const checkHost = (host: string, allowance: Allowance): string | null => {
  if (isIP(host)) return allowedAddress(host, allowance) ? null : 'Its address is not a public Internet address.';
  if (allowance === 'loopback' && isLocalhost(host)) return null;
  const isLocal = !host.includes('.') || LOCAL_NAMES.some((name) => host.endsWith(`.${name}`));
  return isLocal ? 'Its host is a name of a local network, not of the public Internet.' : null;
};

/**
 * Checks the port of an allowed host. With EGRESS_ALLOW=loopback, every loopback port is allowed (contract
 * 21.4).
 */
const checkPort = (host: string, port: number, allowance: Allowance): string | null => {
  // The host is allowed, so an address that is not public is a loopback address.
  const isLoopback = isLocalhost(host) || (isIP(host) !== 0 && allowedAddress(host, 'none') === null);
  return (isLoopback && allowance === 'loopback') || isAllowedPort(port)
    ? null
    : 'Its port is not allowed: use 443, 80, or a port from 1024 that no well-known service uses.';
};
