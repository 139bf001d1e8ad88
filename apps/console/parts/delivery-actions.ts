import type { Action } from '../acting.js';
import type { Delivery } from '../shapes.js';
import { SHARED } from '../tenant.js';

/** Has a delivery sent to its endpoint again (contract 43.13). */
export const redeliverAction = ({ id, eventType, stream }: Delivery): Action => ({
  title: `Send ${eventType} of ${stream} again`,
  verb: 'Send again',
  does: 'A worker sends the delivery to its endpoint again, with the same id, by which the receiver can recognise a duplicate. If the receiver does not accept it, it is attempted again with growing delays.',
  undo: 'What is sent cannot be called back.',
  isFinal: true,
  reason: { in: 'body' },
  requestOf: () => ({ method: 'POST', path: `v1/ops/deliveries/${encodeURIComponent(id)}/redelivery`, body: {}, tenant: SHARED }),
});
