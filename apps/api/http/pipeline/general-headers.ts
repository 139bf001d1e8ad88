import type { Settings } from '../../../../libs/settings/settings.js';
import type { IncomingMessage } from 'node:http';
import type { Ids } from '../../../../libs/eventsourcing/ports/ids.port.js';

/** Returns the headers of a response, whatever the request is. */
export type GeneralHeaders = (requestId: string) => Readonly<Record<string, string>>;

/** Creates the headers that every response has (contract 2.6, 2.9), also one to a request that Node cannot parse. */
export const createGeneralHeaders = ({ publicUrl }: Pick<Settings, 'publicUrl'>): GeneralHeaders => {
  const isSecure = publicUrl?.startsWith('https:') ?? false;
  return isSecure ? (requestId) => ({ ...headersOf(requestId), 'strict-transport-security': 'max-age=31536000' }) : headersOf;
};

const headersOf: GeneralHeaders = (requestId) => ({ 'x-request-id': requestId, 'x-content-type-options': 'nosniff' });

const REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;

/** Returns a function that returns the X-Request-Id of a request if it is valid (contract 2.6), otherwise a new id. */
export const requestIds =
  (ids: Ids) =>
  ({ headers }: Pick<IncomingMessage, 'headers'>): string => {
    const sent = headers['x-request-id'];
    return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : ids.next();
  };
