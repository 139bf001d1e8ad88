import { validateHeaderName, validateHeaderValue } from 'node:http';
import { EgressFailed, type OutgoingRequest } from '../../ports/egress.port.js';

/** Headers that describe the connection. Callers cannot set them. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
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
 * Returns the headers to send. The response must not be compressed (`identity`), because its body is read as text. Throws
 * EgressFailed if a header is invalid or describes the connection.
 */
export const requestHeadersOf = ({ headers, body }: OutgoingRequest, authority: string): Readonly<Record<string, string>> => {
  for (const [name, value] of Object.entries(headers)) checkHeader(name, value);
  return { ...headers, host: authority, 'accept-encoding': 'identity', 'content-length': String(Buffer.byteLength(body)) };
};

const checkHeader = (name: string, value: string): void => {
  if (CONNECTION_HEADERS.has(name.toLowerCase()) || name.toLowerCase().startsWith('proxy-')) throw malformed(name);
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch (error) {
    throw malformed(name, error);
  }
};

const malformed = (name: string, cause?: unknown): EgressFailed =>
  new EgressFailed('malformed_request', `the header ${JSON.stringify(name)} cannot be sent`, { cause });
