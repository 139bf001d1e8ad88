import type { IncomingMessage } from 'node:http';
import { Problem } from '../problems/problem.js';

/** Behind a request whose framing is in doubt nothing can be told apart: the connection ends with the answer. */
const CLOSE = { headers: { connection: 'close' } };

const malformed = (detail: string): Problem => new Problem('malformed-request', detail, CLOSE);

/** A name, an address of IPv4, or one of IPv6 in brackets; then a port or none. Whether it is ours is another question. */
const HOST = /^(?:\[[\da-f:.]+\]|[^\s"#,/:<>?@[\\\]^`{|}]*)(?::\d*)?$/i;

/** What HTTP forbids and Node's parser lets through. Null where nothing is wrong. */
export const framingFault = ({ url = '', method, headers, httpVersion, rawHeaders }: IncomingMessage): Problem | null => {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return malformed('This service speaks HTTP/1.1 and HTTP/1.0 only.');
  // RFC 9112, 3.2: none, or more than one, or one that is no host.
  const hosts = count(rawHeaders, 'host');
  if (hosts > 1) return malformed('There is more than one Host header.');
  if (hosts === 0 && httpVersion === '1.1') return malformed('The Host header is missing.');
  if (headers.host !== undefined && !HOST.test(headers.host)) return malformed('The Host header is not a host with an optional port.');
  if (!url.startsWith('/') && !(url === '*' && method === 'OPTIONS'))
    return malformed('The address is neither a path nor an absolute http address.');
  return codingFault(headers['transfer-encoding'], httpVersion) ?? expectationFault(headers.expect);
};

const count = (rawHeaders: readonly string[], name: string): number => {
  let found = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at];
    if (header?.length === name.length && header.toLowerCase() === name) found++;
  }
  return found;
};

const ENDS_CHUNKED = /(?:^|,)[ \t]*chunked$/i;

/** RFC 9112, 6.1 and 6.3: 501 for a coding that is not understood, 400 where chunked is not the last one. */
const codingFault = (coding: string | undefined, httpVersion: string): Problem | null => {
  if (coding === undefined) return null;
  if (httpVersion === '1.0') return malformed('Transfer-Encoding is not part of HTTP/1.0.');
  if (coding.toLowerCase() === 'chunked') return null;
  if (!ENDS_CHUNKED.test(coding)) return malformed('Transfer-Encoding does not end with chunked.');
  return new Problem('not-implemented', 'The only transfer coding that this service takes is chunked.', CLOSE);
};

const expectationFault = (expectation: string | undefined): Problem | null =>
  expectation === undefined || expectation.toLowerCase() === '100-continue'
    ? null
    : new Problem('expectation-failed', 'The only expectation that this service can meet is 100-continue.', CLOSE);

const ABSOLUTE = /^http:\/\/([^/?#@]+)(\/[^]*|\?[^]*)?$/i;

/** RFC 9112, 3.2.2: an absolute address is taken as its path, and its host counts, not that of the header. Any other stays as it is. */
export const toOriginForm = (request: IncomingMessage): void => {
  const [, host, path = '/'] = ABSOLUTE.exec(request.url ?? '') ?? [];
  if (host === undefined) return;
  request.headers.host = host;
  request.url = path.startsWith('/') ? path : `/${path}`;
};
