import type { FastifyReply, FastifyRequest } from 'fastify';
import { ALLOWED_ORIGIN, allowOrigin } from '../../http/cors.js';
import { addVary } from '../../http/responses.js';
import { machineTime } from '../../http/machine-time.js';

/** Milliseconds for which the origins of all clients are kept. A page whose client was just registered tries again. */
const KEPT = 5_000;

/** Finds the redirect URIs of a client. */
export type FindRedirectUris = (clientId: string) => Promise<readonly string[]>;

/**
 * Decides which web pages may call the addresses at which clients get and end tokens (contract 32.1): those of CORS_ORIGINS,
 * and those of the redirect URIs of the client that the request names. A preflight request names no client, so it is allowed for the
 * origins of all clients. oidc-provider would answer 400 to a page of another origin, so it never gets the header Origin.
 */
export class ClientOrigins {
  private readonly listed: ReadonlySet<string>;
  private cached: { readonly origins: ReadonlySet<string>; readonly at: number } | null = null;

  constructor(
    private readonly redirectUris: () => Promise<readonly string[]>,
    corsOrigins: readonly string[],
  ) {
    this.listed = new Set(corsOrigins);
  }

  /** Allows the origin of a request if it is that of any client. */
  async allowAny(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { origin } = request.headers;
    addVary(reply, 'Origin');
    // The origin of apps with a scheme of their own, and of documents without an origin, is `null`.
    if (origin === undefined || origin === 'null' || this.listed.has(origin)) return;
    if ((await this.all()).has(origin)) allowOrigin(request, reply, origin);
  }

  /** Disallows the origin of a request again if it is not that of the client that the request names. */
  async keepOnlyOf(clientId: string | undefined, find: FindRedirectUris, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { origin = '' } = request.headers;
    if (reply.getHeader(ALLOWED_ORIGIN) === undefined || this.listed.has(origin)) return;
    const uris = clientId === undefined ? [] : await find(clientId);
    if (!uris.some((uri) => originOf(uri) === origin)) reply.removeHeader(ALLOWED_ORIGIN);
  }

  private async all(): Promise<ReadonlySet<string>> {
    const now = machineTime();
    if (!this.cached || now - this.cached.at > KEPT) this.cached = { origins: new Set((await this.redirectUris()).map(originOf)), at: now };
    return this.cached.origins;
  }
}

const originOf = (uri: string): string => URL.parse(uri)?.origin ?? 'null';

/** Returns the id of the client that a form or its credentials name (RFC 6749, 2.3.1), or undefined. */
export const clientIdOf = (form: URLSearchParams, authorization: string | undefined): string | undefined => {
  return basicCredentialsOf(authorization)?.id ?? form.get('client_id') ?? undefined;
};

/** Returns the id and the secret of a client from the header Authorization, or null. */
export const basicCredentialsOf = (authorization: string | undefined): { readonly id: string; readonly secret: string } | null => {
  const [, basic] = /^basic ([\w+/=]+)$/i.exec(authorization ?? '') ?? [];
  if (basic === undefined) return null;
  const [id = '', ...rest] = Buffer.from(basic, 'base64').toString().split(':');
  // Both parts are encoded as in a form.
  const decode = (text: string): string => new URLSearchParams(`part=${text}`).get('part') ?? '';
  return { id: decode(id), secret: decode(rest.join(':')) };
};
