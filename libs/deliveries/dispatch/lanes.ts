import type { DeliveryTarget } from '../delivery.js';
import type { Endpoint } from '../endpoints.js';

/** A webhook endpoint's lane, beneath its tenant's: a tenant has a share, however many endpoints it has. */
export const laneOfEndpoint = ({ tenant, id }: Pick<Endpoint, 'tenant' | 'id'>): string => `${tenant}/${id}`;

/** Of a name the last two labels, of an address its network: who commands one of them mostly commands them all. */
const neighbourhoodOf = (host: string): string => {
  if (host.startsWith('[')) return host.slice(1).split('::', 1).join('').split(':').slice(0, 4).join(':');
  const labels = host.split('.');
  return /^[\d.]+$/.test(host) ? labels.slice(0, 3).join('.') : labels.slice(-2).join('.');
};

/**
 * "A cap holds per target host": a callback's lane is the host alone, however it is written and whatever port is asked for,
 * beneath that of its neighbourhood.
 */
const laneOfHost = (url: string): string => {
  // What a URL is parsed to is in lower case, an address in its one form. The dot at a name's end names the same host.
  const host = new URL(url).hostname.replace(/\.$/, '');
  return `${neighbourhoodOf(host)}/${host}`;
};

/** Whom a delivery burdens. */
export const laneOf = (tenant: string, target: DeliveryTarget): string =>
  target.kind === 'webhook' ? laneOfEndpoint({ tenant, id: target.webhookId }) : laneOfHost(target.url);
