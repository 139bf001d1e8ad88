import type { DeliveryTarget } from '../delivery.js';
import type { Endpoint } from '../endpoints.js';

/**
 * Returns the lane of a webhook endpoint (see `Work.lane`). The group of the lane is the tenant, so the limit per group applies
 * to all endpoints of a tenant together.
 */
export const laneOfEndpoint = ({ tenant, id }: Pick<Endpoint, 'tenant' | 'id'>): string => `${tenant}/${id}`;

/**
 * Returns the domain of a host: the last two labels of a name, or the network of an IP address (/24, or /64 for IPv6).
 * Usually one owner controls all hosts of a domain.
 */
const domainOf = (host: string): string => {
  if (host.startsWith('[')) return host.slice(1).split('::', 1).join('').split(':').slice(0, 4).join(':');
  const labels = host.split('.');
  return /^[\d.]+$/.test(host) ? labels.slice(0, 3).join('.') : labels.slice(-2).join('.');
};

/** The lane of a callback: the host without its port. Its group is the host's domain or network. */
const laneOfHost = (url: string): string => {
  // URL normalizes the case of names and the notation of addresses, but keeps a trailing dot. A name with the
  // dot means the same host.
  const host = new URL(url).hostname.replace(/\.$/, '');
  return `${domainOf(host)}/${host}`;
};

/** The lane of a delivery, which limits the load of its receiver (contract 17.6 and 20.9). */
export const laneOf = (tenant: string, target: DeliveryTarget): string =>
  target.kind === 'webhook' ? laneOfEndpoint({ tenant, id: target.webhookId }) : laneOfHost(target.url);
