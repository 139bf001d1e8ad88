import type { StoredEvent } from '../../libs/eventsourcing/ports/event-store.port.js';
import type { Call } from '../servers/calling.js';

/** The responses of a service by path, without entity tags, because a tag contains the version of a projection. */
export type Reads = Readonly<Record<string, { readonly status: number; readonly json: unknown }>>;

/** The prefix of the links in responses. */
export const PUBLIC_URL = 'http://pets.example';

const pathsOf = (category: string, id: string): readonly string[] => {
  if (category === 'pet') return [`/v1/pets/${id}`];
  if (category === 'order') return [`/v1/orders/${id}`, `/v1/orders/${id}/payment`, `/v1/orders/${id}/receipt`];
  return category === 'webhook' ? [`/v1/webhooks/${id}`, `/v1/webhooks/${id}/deliveries`] : [];
};

/** Returns the paths of every resource in a log, and of the lists. */
export const pathsIn = (events: readonly StoredEvent[]): readonly string[] => [
  ...['/v1/pets?status=ALL&limit=100', '/v1/pets?species=DOG', '/v1/orders?limit=100', '/v1/inventories', '/v1/webhooks'],
  ...[...new Set(events.map(({ stream }) => stream))].flatMap((stream) => {
    const end = stream.indexOf('-');
    return pathsOf(stream.slice(0, end), stream.slice(end + 1));
  }),
];

/** Removes the fields that differ between two responses to equal requests: `requestId` and `instance` of a problem. */
const stable = ({ requestId: _requestId, instance: _instance, ...json }: Readonly<Record<string, unknown>>): unknown => json;

/** Reads the paths one by one. */
export const readAll = async (call: Call, paths: readonly string[]): Promise<Reads> => {
  const reads: Record<string, Reads[string]> = {};
  for (const path of paths) {
    const { status, json } = await call('GET', path);
    reads[path] = { status, json: stable(json) };
  }
  return reads;
};
