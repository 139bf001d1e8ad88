import type { DeliveryTarget } from '../delivery.js';
import type { Endpoint } from '../endpoints.js';

/**
 * The lane of a webhook endpoint. Its group is the tenant, so that the limit per group applies to all
 * endpoints of a tenant.
 */
export const laneOfEndpoint = ({ tenant, id }: Pick<Endpoint, 'tenant' | 'id'>): string => `${tenant}/${id}`;

/**
 * Returns the last two labels of a name, or the network of an IP address. Usually one owner controls all
 * hosts in it.
 */
const domainOf = (host: string): string => {
  if (host.startsWith('[')) return host.slice(1).split('::', 1).join('').split(':').slice(0, 4).join(':');
  const labels = host.split('.');
  return /^[\d.]+$/.test(host) ? labels.slice(0, 3).join('.') : labels.slice(-2).join('.');
};

/** The lane of a callback: the host without its port. Its group is the host's domain or network. */
const laneOfHost = (url: string): string => {
  // URL normalizes the case of names and the notation of addresses. A trailing dot does not change the host.
  const host = new URL(url).hostname.replace(/\.$/, '');
  return `${domainOf(host)}/${host}`;
};

/** The lane of a delivery, which limits the load of its receiver (contract 17.6 and 20.9). */
export const laneOf = (tenant: string, target: DeliveryTarget): string =>
  target.kind === 'webhook' ? laneOfEndpoint({ tenant, id: target.webhookId }) : laneOfHost(target.url);
