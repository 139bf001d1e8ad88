import type { IncomingMessage } from 'node:http';
import type { Ids } from '../../../../libs/eventsourcing/ports/ids.port.js';

const REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;

/** Returns a function that returns the X-Request-Id of a request if it is valid (contract 2.6), otherwise a new id. */
export const requestIds =
  (ids: Ids) =>
  ({ headers }: Pick<IncomingMessage, 'headers'>): string => {
    const sent = headers['x-request-id'];
    return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : ids.next();
  };
