import type { Action } from '../acting.js';
import { readJson } from '../api.js';
import type { Delivery } from '../shapes.js';
import { SHARED } from '../tenant.js';

/** Has a delivery sent to its endpoint again (contract 43.13). */
export const redeliverAction = ({ id, eventType, stream }: Delivery): Action => ({
  title: `Send ${eventType} of ${stream} again`,
  verb: 'Send again',
  does: 'A worker sends the delivery to its endpoint again, if it is enabled, with the same id, by which the receiver can recognise a duplicate. If the receiver does not accept it, it is attempted again with growing delays.',
  undo: 'What is sent cannot be called back.',
  isFinal: true,
  reason: { in: 'body' },
  requestOf: () => ({ method: 'POST', path: `v1/ops/deliveries/${encodeURIComponent(id)}/redelivery`, body: {}, tenant: SHARED }),
});

/** An endpoint as its staff read and change it. */
type Endpoint = { readonly url: string; readonly status: string };

/** Lets an endpoint get events again, for example after its receiver has answered 410 (contract 20.5). A change has all its fields, so it is read first. */
export const enableAction = async (id: string, tenant: string): Promise<Action> => {
  const path = `v1/webhooks/${encodeURIComponent(id)}`;
  const endpoint = await readJson<Endpoint>(path, { tenant });
  return {
    title: `Enable the endpoint ${endpoint.url}`,
    verb: 'Enable',
    does:
      endpoint.status === 'enabled'
        ? 'Nothing: it is enabled already.'
        : 'It gets new events again, and what it has missed can be sent again. Its receiver must be repaired first: an answer of 410 disables it at once.',
    undo: 'Its staff can disable it again.',
    requestOf: () => ({ method: 'PUT', path, body: { ...endpoint, status: 'enabled' }, tenant }),
  };
};
