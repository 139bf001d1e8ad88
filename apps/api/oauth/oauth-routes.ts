import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TokenVerifier } from '../../../libs/ports/access-token.port.js';
import { formPolicy, sendPage } from '../describe/pages/page.js';
import { bearerToken } from '../http/admission/bearer-token.js';
import type { Limiters } from '../http/admission/limiters.js';
import { allowOrigin } from '../http/cors.js';
import { pathOf } from '../http/pipeline/request-path.js';
import { JSON_TYPE } from '../http/responses.js';
import type { ReadBody } from '../http/server/bodies.js';
import type { PublicAddress } from '../http/public-address.js';
import { SIGN_IN_LIMIT } from '../sign-in/sign-in.controller.js';
import { ADDRESSES } from './addresses.js';
import { asGet, atHome, withoutMarker } from './pages/home-address.js';
import type { AuthorizationServer } from './authorization-server.js';
import type { InteractionAnswer } from './interactions.js';
import { answerByProvider, bodyOf, koaRequest, type Rewrite } from './koa-bridge.js';
import { errorHtml } from './pages/error-page.js';
import { clientIdOf, type ClientOrigins, type FindRedirectUris } from './provider/client-origins.js';
import { payloadOf } from './provider/access-token-answers.js';
import { addDefaultScope, lacksScope } from './provider/default-scope.js';
import { implicitRequestUrl } from './provider/implicit-request.js';
import { UNAVAILABLE_SECONDS } from './provider/outages.js';
import { countOAuthRequests, isAttemptAllowed, sendTooManyRequests } from './request-limits.js';
import { isPolledTooSoon, refreshBody } from './token-requests.js';
import { answerUserinfo } from './userinfo.js';

export type OAuthRouteParts = {
  /** Returns the authorization server. The first call opens it. */
  readonly open: () => Promise<AuthorizationServer>;
  readonly address: PublicAddress;
  /** The setting CLASSIC_IMPLICIT_FLOW. */
  readonly isImplicitOn: boolean;
  readonly tokens: TokenVerifier;
  readonly readBody: ReadBody;
  readonly limiters: Limiters;
  readonly origins: ClientOrigins;
};

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * Adds the addresses of the authorization server (contract 32.1). Request bodies at these addresses are forms, so the routes
 * have a body parser of their own instead of the JSON parser of the operations.
 */
export const addOAuthRoutes = (server: FastifyInstance, parts: OAuthRouteParts): void => {
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (request, stream, done) => parts.readBody(request, stream, done));
    scope.addHook('onRequest', allowOrigins(parts.origins));
    for (const path of [...FOR_ANY_ORIGIN, ...FOR_CLIENTS]) scope.options(path, async (_, reply) => reply.code(204).send());
    const common = parts.limiters.of({ id: 'oauth' });
    if (common) scope.addHook('onRequest', countOAuthRequests(common));
    const toProvider = providerHandler(parts);
    scope.get(ADDRESSES.openidDiscovery, toProvider());
    scope.get(ADDRESSES.oauthDiscovery, toProvider());
    scope.get(ADDRESSES.jwks, toProvider());
    scope.get(ADDRESSES.authorize, atHome(parts.address, authorizeHandler(parts)));
    scope.post(ADDRESSES.authorize, asGet(parts.address));
    scope.get(`${ADDRESSES.authorize}/:uid`, toProvider());
    if (parts.isImplicitOn) scope.get(ADDRESSES.implicit, atHome(parts.address, implicitHandler(parts)));
    scope.post(ADDRESSES.token, ofClient(parts, tokenHandler(parts)));
    scope.post(ADDRESSES.refresh, ofClient(parts, tokenHandler(parts)));
    scope.post(ADDRESSES.revocation, ofClient(parts, toProvider()));
    scope.post(ADDRESSES.introspection, toProvider());
    scope.post(ADDRESSES.deviceAuthorize, ofClient(parts, deviceHandler(parts)));
    scope.get(ADDRESSES.device, atHome(parts.address, devicePageHandler(parts)));
    scope.post(ADDRESSES.device, limited(parts, toProvider()));
    scope.get(`${ADDRESSES.device}/:uid`, toProvider());
    scope.route({ method: ['GET', 'POST'], url: ADDRESSES.userinfo, handler: userinfoHandler(parts) });
    scope.route({ method: ['GET', 'POST'], url: `${ADDRESSES.interaction}/:uid`, handler: interactionHandler(parts) });
  });
};

/** The addresses that pages of any origin may call: they tell nothing but public keys and metadata. */
const FOR_ANY_ORIGIN: readonly string[] = [ADDRESSES.openidDiscovery, ADDRESSES.oauthDiscovery, ADDRESSES.jwks];
/** The addresses that pages of clients may call. */
const FOR_CLIENTS: readonly string[] = [
  ADDRESSES.token,
  ADDRESSES.refresh,
  ADDRESSES.revocation,
  ADDRESSES.deviceAuthorize,
  ADDRESSES.userinfo,
];

const allowOrigins =
  (origins: ClientOrigins) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const path = pathOf(request);
    if (FOR_ANY_ORIGIN.includes(path)) allowOrigin(request, reply, '*');
    else if (FOR_CLIENTS.includes(path)) await origins.allowAny(request, reply);
  };

/** Answers pages of the origins of the client that a form names, and of no other client. */
const ofClient =
  ({ open, origins }: OAuthRouteParts, handler: Handler): Handler =>
  async (request, reply) => {
    if (request.headers.origin !== undefined) {
      const { provider } = await open();
      const id = clientIdOf(new URLSearchParams(bodyOf(request).toString()), request.headers.authorization);
      await origins.keepOnlyOf(id, redirectUrisIn(provider), request, reply);
    }
    return handler(request, reply);
  };

const redirectUrisIn =
  (provider: AuthorizationServer['provider']): FindRedirectUris =>
  async (clientId) =>
    (await provider.Client.find(clientId))?.redirectUris ?? [];

const providerHandler =
  ({ open, address }: OAuthRouteParts) =>
  (rewrite?: Rewrite): Handler =>
  async (request, reply) =>
    answerByProvider((await open()).provider, koaRequest(request, address, rewrite), reply);

const authorizeHandler =
  (parts: OAuthRouteParts): Handler =>
  (request, reply) => {
    // The base `http://petstore` is not used. `URL` needs a base to parse a path.
    const url = withoutMarker(request.url);
    const { pathname, searchParams } = new URL(url, 'http://petstore');
    return providerHandler(parts)({ url: lacksScope(searchParams) ? `${pathname}?${addDefaultScope(searchParams).toString()}` : url })(
      request,
      reply,
    );
  };

const devicePageHandler =
  (parts: OAuthRouteParts): Handler =>
  (request, reply) =>
    providerHandler(parts)({ url: withoutMarker(request.url) })(request, reply);

const deviceHandler =
  (parts: OAuthRouteParts): Handler =>
  (request, reply) => {
    const form = new URLSearchParams(bodyOf(request).toString());
    const rewrite = lacksScope(form) ? { body: Buffer.from(addDefaultScope(form).toString()) } : {};
    return providerHandler(parts)(rewrite)(request, reply);
  };

const implicitHandler =
  (parts: OAuthRouteParts): Handler =>
  (request, reply) =>
    providerHandler(parts)({ url: implicitRequestUrl(request.url) })(request, reply);

const tokenHandler =
  (parts: OAuthRouteParts): Handler =>
  async (request, reply) => {
    const { artifacts, clock } = await parts.open();
    const form = new URLSearchParams(bodyOf(request).toString());
    const refreshes = request.url.startsWith(ADDRESSES.refresh);
    const body = refreshes ? refreshBody(form) : bodyOf(request);
    if (body === null) return sendError(reply, 'unsupported_grant_type', 'this address takes refresh tokens only');
    if (await isPolledTooSoon(form, artifacts, clock))
      return sendError(reply, 'slow_down', 'you are polling too quickly and should back off at a reasonable rate');
    return providerHandler(parts)({ body, ...(refreshes && { url: ADDRESSES.token }) })(request, reply);
  };

/** Sends an error of the token endpoint (RFC 6749, 5.2). */
const sendError = (reply: FastifyReply, error: string, description: string): void => {
  const json = JSON.stringify({ error, error_description: description });
  reply.code(400).header('cache-control', 'no-store').header('content-type', JSON_TYPE).send(json);
};

const userinfoHandler =
  ({ open, tokens, origins }: OAuthRouteParts): Handler =>
  async (request, reply) => {
    const { provider, accounts } = await open();
    await origins.keepOnlyOf(clientOfToken(request), redirectUrisIn(provider), request, reply);
    return answerUserinfo({ tokens, accounts }, request, reply);
  };

/** Returns the client that an access token names, even if the token is not valid. */
const clientOfToken = (request: FastifyRequest): string | undefined => {
  try {
    return payloadOf(bearerToken(request) ?? '').client_id;
  } catch {
    return undefined;
  }
};

const interactionHandler = ({ open, address, limiters }: OAuthRouteParts): Handler => {
  const attempts = limiters.of(SIGN_IN_LIMIT);
  return async (request, reply) => {
    const { interactions, faultOf } = await open();
    const { uid } = request.params as { readonly uid: string };
    const context = [koaRequest(request, address), reply.raw] as const;
    try {
      const answer =
        request.method === 'GET'
          ? await interactions.show(context, uid)
          : await interactions.submit(context, uid, new URLSearchParams(bodyOf(request).toString()), () =>
              isAttemptAllowed(attempts, request, reply),
            );
      sendAnswer(reply, answer);
    } catch (error) {
      const fault = faultOf(error);
      if (!fault) throw error;
      sendForm(reply, { status: fault.status, html: errorHtml(fault.code), targets: [] });
    }
  };
};

const sendAnswer = (reply: FastifyReply, answer: InteractionAnswer): void => {
  if ('location' in answer) reply.code(303).header('location', answer.location).header('cache-control', 'no-store').send();
  else sendForm(reply, answer);
};

const sendForm = (reply: FastifyReply, { status, html, targets }: Extract<InteractionAnswer, { html: string }>): void => {
  reply.header('x-frame-options', 'DENY');
  if (status === 503) reply.header('retry-after', UNAVAILABLE_SECONDS);
  sendPage(reply, html, { status, policy: formPolicy(...targets), cacheControl: 'no-store' });
};

/** Counts each call of a handler as a sign-in attempt. Beyond the limit, sends a page with the status 429 (contract 32.3). */
const limited = ({ limiters }: OAuthRouteParts, handler: Handler): Handler => {
  const attempts = limiters.of(SIGN_IN_LIMIT);
  return async (request, reply) => (isAttemptAllowed(attempts, request, reply) ? handler(request, reply) : sendTooManyRequests(reply));
};
