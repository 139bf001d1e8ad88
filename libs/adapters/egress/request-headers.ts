import { validateHeaderName, validateHeaderValue } from 'node:http';
import { EgressFailed, type OutgoingRequest } from '../../ports/egress.port.js';

/** Headers that say how a request is carried are not the caller's to set. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * The headers to send; throws EgressFailed when one cannot be sent. Today's callers set none that is rejected here: this is a
 * second lock, for the day when a header's name or value comes from a caller.
 */
export const requestHeadersOf = ({ headers, body }: OutgoingRequest, authority: string): Readonly<Record<string, string>> => {
  for (const [name, value] of Object.entries(headers)) check(name, value);
  return { ...headers, host: authority, 'accept-encoding': 'identity', 'content-length': String(Buffer.byteLength(body)) };
};

const check = (name: string, value: string): void => {
  if (OF_THE_CONNECTION.has(name.toLowerCase()) || name.toLowerCase().startsWith('proxy-')) throw malformed(name);
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch (error) {
    throw malformed(name, error);
  }
};

const malformed = (name: string, cause?: unknown): EgressFailed =>
  new EgressFailed('malformed_request', `the header ${JSON.stringify(name)} cannot be sent`, { cause });
