import type { IncomingMessage } from 'node:http';
import { Problem } from '../problems/problem.js';

/**
 * This header closes the connection.
 * That is necessary, because after invalid framing, the start of the next request is unknown (contract 2.11).
 */
const CLOSE = { headers: { connection: 'close' } };

const malformed = (detail: string): Problem => new Problem('malformed-request', detail, CLOSE);

/** Matches a name, an IPv4 address, or an IPv6 address in brackets, with an optional port. */
const HOST = /^(?:\[[\da-f:.]+\]|[^\s"#,/:<>?@[\\\]^`{|}]*)(?::\d*)?$/i;

/**
 * Returns a problem for a request that violates HTTP, or null for a valid request. `target` is the request target as sent.
 * The check is needed because Node's parser accepts some requests that violate HTTP.
 */
export const framingFault = ({ method, headers, httpVersion, rawHeaders }: IncomingMessage, target: string): Problem | null => {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return malformed('The service supports HTTP/1.1 and HTTP/1.0 only.');
  // A request has exactly one Host header (RFC 9112, 3.2).
  const hosts = count(rawHeaders, 'host');
  if (hosts > 1) return malformed('There is more than one Host header.');
  if (hosts === 0 && httpVersion === '1.1') return malformed('The Host header is missing.');
  if (headers.host !== undefined && !HOST.test(headers.host)) return malformed('The Host header is not a host with an optional port.');
  if (!target.startsWith('/') && !(target === '*' && method === 'OPTIONS'))
    return malformed('The request target is neither a path nor an absolute http URL.');
  return codingFault(headers['transfer-encoding'], httpVersion) ?? expectationFault(headers.expect);
};

/** Returns how often a request has the header `name`. In `rawHeaders`, a value follows each name. */
const count = (rawHeaders: readonly string[], name: string): number => {
  let found = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at];
    if (header?.length === name.length && header.toLowerCase() === name) found++;
  }
  return found;
};

const ENDS_CHUNKED = /(?:^|,)[ \t]*chunked$/i;

/**
 * Returns a 400 problem if the last transfer coding is not chunked, or if an HTTP/1.0 request has Transfer-Encoding.
 * Returns a 501 problem if another coding precedes chunked (RFC 9112, 6.1, 6.3).
 */
const codingFault = (coding: string | undefined, httpVersion: string): Problem | null => {
  if (coding === undefined) return null;
  if (httpVersion === '1.0') return malformed('Transfer-Encoding is not part of HTTP/1.0.');
  if (coding.toLowerCase() === 'chunked') return null;
  if (!ENDS_CHUNKED.test(coding)) return malformed('Transfer-Encoding does not end with chunked.');
  return new Problem('not-implemented', 'The service supports only the transfer coding chunked.', CLOSE);
};

const expectationFault = (expectation: string | undefined): Problem | null =>
  expectation === undefined || expectation.toLowerCase() === '100-continue'
    ? null
    : new Problem('expectation-failed', 'The service supports only the expectation 100-continue.', CLOSE);

const ABSOLUTE = /^http:\/\/([^/?#@]+)(\/[^]*|\?[^]*)?$/i;

/**
 * Replaces a request target that is an absolute URL with the path of the URL. Replaces the Host header with the host of the
 * URL (RFC 9112, 3.2.2). Changes nothing if the request target has another form.
 */
export const toOriginForm = (request: IncomingMessage): void => {
  const [, host, path = '/'] = ABSOLUTE.exec(request.url ?? '') ?? [];
  if (host === undefined) return;
  request.headers.host = host;
  request.url = path.startsWith('/') ? path : `/${path}`;
};
