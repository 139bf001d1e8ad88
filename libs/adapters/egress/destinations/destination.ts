import { isIP } from 'node:net';
import { allowedAddress, type Allowance } from './addresses.js';
import { isReceiversPort } from './ports.js';

/** Where a request goes, as its address says it; a name is not looked up yet. */
export type Destination = {
  readonly secure: boolean;
  /** A name, or an address without brackets. */
  readonly host: string;
  readonly port: number;
  /** The host, with the port unless it goes without saying: what the Host header says. */
  readonly authority: string;
  readonly path: string;
};

/** Why there is none: a sentence for the client that gave the address. */
export type Objection = { readonly objection: string };

const NEITHER_BLANK_NOR_CONTROL = /^[^\p{Cc}\p{Cf}\p{Z}]+$/u;
const SCHEMES: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** Ends of names that mean something within a machine or a network only. */
const LOCAL_NAMES = ['localhost', 'localdomain', 'local', 'internal', 'intranet', 'private', 'corp', 'home', 'lan', 'home.arpa', 'onion'];

/** Reads an address as the client that connects will: whatever notation it is in, it is judged by what it stands for. */
export const destinationOf = (text: string, allowance: Allowance): Destination | Objection => {
  const url = NEITHER_BLANK_NOR_CONTROL.test(text) && URL.canParse(text) ? new URL(text) : null;
  if (!url) return objection('It is not an absolute http or https URL.');
  const ordinary = SCHEMES[url.protocol];
  if (ordinary === undefined) return objection('Its scheme is neither http nor https.');
  if (url.username || url.password) return objection('It carries credentials.');
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
  const port = url.port === '' ? ordinary : Number(url.port);
  const reason = objectionToHost(host, allowance) ?? objectionToPort(host, port, allowance);
  const destination = { secure: url.protocol === 'https:', host, port, authority: url.host, path: `${url.pathname}${url.search}` };
  return reason === null ? destination : objection(reason);
};

/** Whether a name stands for this machine wherever it is asked. */
export const isLocalhost = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

const objection = (reason: string): Objection => ({ objection: reason });

const objectionToHost = (host: string, allowance: Allowance): string | null => {
  if (isIP(host)) return allowedAddress(host, allowance) ? null : 'Its address is not one of the public Internet.';
  if (allowance === 'loopback' && isLocalhost(host)) return null;
  const isLocal = !host.includes('.') || LOCAL_NAMES.some((name) => host.endsWith(`.${name}`));
  return isLocal ? 'Its host is a name of a local network, not of the public Internet.' : null;
};

/** "Loopback, on any port, is allowed only by EGRESS_ALLOW=loopback": by then a host that is loopback is allowed. */
const objectionToPort = (host: string, port: number, allowance: Allowance): string | null => {
  const isOwn = isLocalhost(host) || (isIP(host) !== 0 && allowedAddress(host, 'none') === null);
  return (isOwn && allowance === 'loopback') || isReceiversPort(port)
    ? null
    : 'Its port is another service’s: use 443, 80 or one from 1024 on.';
};
