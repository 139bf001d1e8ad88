import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import type { PublicAddress } from '../http/public-address.js';

/** The parts of a request that are replaced before oidc-provider reads it. `url` is a path with a query. */
export type Rewrite = { readonly url?: string; readonly body?: Buffer };

/**
 * Returns the request in the form that oidc-provider reads. Fastify has already read the body, within its limits, so the
 * result is a new stream of the same body. Sets X-Forwarded-Host and X-Forwarded-Proto from the public address, never from
 * the client's headers. oidc-provider derives its URLs from both headers, and makes cookies Secure if the protocol is https.
 */
export const koaRequest = (request: FastifyRequest, address: PublicAddress, rewrite: Rewrite = {}): IncomingMessage => {
  const { raw } = request;
  const { host, protocol, pathname } = new URL(address.url);
  const url = rewrite.url ?? request.url;
  const body = rewrite.body ?? bodyOf(request);
  const headers: IncomingHttpHeaders = {
    ...raw.headers,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
    ...(body.length > 0 && { 'content-length': String(body.length) }),
  };
  // The new stream has the complete body, and its length is in content-length. So it has no transfer coding.
  delete headers['transfer-encoding'];
  delete headers['x-forwarded-for'];
  // `ClientOrigins` decides about pages of other origins.
  delete headers.origin;
  const caller: Caller = { address: request.ip, requestId: request.id };
  // oidc-provider takes the start of its URLs from `originalUrl`, so `originalUrl` begins with the path of PUBLIC_URL.
  return Object.assign(Readable.from(body.length > 0 ? [body] : []), {
    caller,
    ...{ headers, url, originalUrl: pathname.replace(/\/$/, '') + url },
    ...{ method: raw.method, socket: raw.socket, httpVersion: raw.httpVersion, httpVersionMajor: raw.httpVersionMajor },
  }) as unknown as IncomingMessage;
};

/** The sender of a request: the IP address of the client, also behind trusted proxies, and the id of the request. */
export type Caller = { readonly address: string; readonly requestId: string };

/** Returns the sender of a request. The request must be one that `koaRequest` returned. */
export const callerOf = (request: IncomingMessage): Caller => (request as unknown as { readonly caller: Caller }).caller;

/** Returns the body of a request to the authorization server. A request without a body, such as a GET, has an empty one. */
export const bodyOf = ({ body }: FastifyRequest): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));

/**
 * Lets oidc-provider answer a request. oidc-provider writes to the raw response of Node. So this function first copies the
 * headers of Fastify's reply to the raw response.
 */
export const answerByProvider = async (provider: Provider, request: IncomingMessage, reply: FastifyReply): Promise<void> => {
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value);
  await provider.callback()(request, reply.raw);
};
