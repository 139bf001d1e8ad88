import type { FastifyReply, FastifyRequest } from 'fastify';
import { isLoopback } from '../../../../libs/settings/address-values.js';
import { Problem } from '../../http/problems/problem.js';
import type { PublicAddress } from '../../http/public-address.js';

/** The parameter of a request that was sent to PUBLIC_URL. It is removed before oidc-provider reads the request. */
const MARKER = 'sent_home';

/** The maximum length of an address. Headers together may have 16 KiB (contract 26.1). */
const LONGEST_ADDRESS = 8_192;

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * Sends a browser that opens a page at another loopback name than that of PUBLIC_URL to the page there (contract 32.1). Its
 * cookies would otherwise belong to another host, and the sign-in would fail after the password. A browser is sent only once,
 * because a proxy may replace the host of each request.
 */
export const atHome =
  (address: PublicAddress, handler: Handler): Handler =>
  (request, reply) =>
    isAway(request, address) ? redirect(reply, 302, `${address.url}${marked(request.url)}`) : handler(request, reply);

/**
 * Turns a POST to `path` into the GET with the parameters of the form (OpenID Connect Core, 3.1.2.1). The cookies of a sign-in are not
 * sent with a POST from another site.
 */
export const asGet =
  (address: PublicAddress, path: string): Handler =>
  async (request, reply) => {
    const form = Buffer.isBuffer(request.body) ? request.body.toString() : '';
    const url = `${path}?${new URLSearchParams(form).toString()}`;
    if (url.length > LONGEST_ADDRESS) throw new Problem('content-too-large', 'The parameters are too long for an address.');
    await redirect(reply, 303, isAway(request, address) ? `${address.url}${marked(url)}` : `${address.prefix}${url}`);
  };

/** Returns the path and query of a request without the marker. */
export const withoutMarker = (url: string): string => url.replace(new RegExp(`[?&]${MARKER}=1$`), '');

const marked = (url: string): string => `${url}${url.includes('?') ? '&' : '?'}${MARKER}=1`;

const isAway = (request: FastifyRequest, address: PublicAddress): boolean => {
  const [here, home] = [nameOf(`http://${request.host}`), nameOf(address.url)];
  return here !== home && isLoopback(here) && isLoopback(home) && withoutMarker(request.url) === request.url;
};

/** Returns the host name of a URL without the brackets of an IPv6 address. */
const nameOf = (url: string): string => URL.parse(url)?.hostname.replace(/^\[|\]$/g, '') ?? '';

const redirect = async (reply: FastifyReply, status: 302 | 303, location: string): Promise<void> => {
  reply.code(status).header('location', location).header('cache-control', 'no-store').send();
};
