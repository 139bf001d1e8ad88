import type { StoredEvent } from '../../libs/eventsourcing/ports/event-store.port.js';
import type { Call } from '../servers/calling.js';

/** The answers of a store by path. Entity tags are absent: they contain the version of a projection. */
export type Reads = Readonly<Record<string, { readonly status: number; readonly json: unknown }>>;

/** The prefix of the links in answers. */
export const PUBLIC_URL = 'http://pets.example';

const pathsOf = (category: string, id: string): readonly string[] => {
  if (category === 'pet') return [`/v1/pets/${id}`];
  if (category === 'order') return [`/v1/orders/${id}`, `/v1/orders/${id}/payment`, `/v1/orders/${id}/receipt`];
  return category === 'webhook' ? [`/v1/webhooks/${id}`, `/v1/webhooks/${id}/deliveries`] : [];
};

/** The paths that read every resource of a log, and the lists. */
export const pathsIn = (events: readonly StoredEvent[]): readonly string[] => [
  ...['/v1/pets?status=ALL&limit=100', '/v1/pets?species=DOG', '/v1/orders?limit=100', '/v1/inventories', '/v1/webhooks'],
  ...[...new Set(events.map(({ stream }) => stream))].flatMap((stream) => {
    const end = stream.indexOf('-');
    return pathsOf(stream.slice(0, end), stream.slice(end + 1));
  }),
];

/** Removes what differs between two answers to one request: the id and the instance of a problem. */
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
