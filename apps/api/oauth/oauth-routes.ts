import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bearerToken } from '../http/admission/bearer-token.js';
import { allowOrigin } from '../http/cors.js';
import { pathOf } from '../http/pipeline/request-path.js';
import type { PublicAddress } from '../http/public-address.js';
import { ADDRESSES } from './addresses.js';
import { asGet, atHome, withoutMarker } from './pages/home-address.js';
import type { AuthorizationServer, OAuthRouteDependencies } from './authorization-server.js';
import { answerByProvider, bodyOf, koaRequest, type Rewrite } from './koa-bridge.js';
import { clientIdOf, type ClientOrigins, type FindRedirectUris } from './provider/client-origins.js';
import { devicePostHandler, interactionHandler, signOutHandler } from './pages/page-routes.js';
import { authorizationUrl } from './provider/authorization-request.js';
import { payloadOf } from './provider/access-token-answers.js';
import { addDefaultScope, lacksScope } from './provider/default-scope.js';
import { implicitRequestUrl } from './provider/implicit-request.js';
import { countOAuthRequests } from './request-limits.js';
import { isPolledTooSoon, refreshBody, sendError, takeEmptySecret } from './token-requests.js';
import { answerUserinfo } from './userinfo.js';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * Adds the addresses of the authorization server (contract 32.1). Request bodies at these addresses are forms, so the routes
 * have a body parser of their own instead of the JSON parser of the operations.
 */
export const addOAuthRoutes = (server: FastifyInstance, dependencies: OAuthRouteDependencies): void => {
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (request, stream, done) => dependencies.readBody(request, stream, done));
    const forAnyOrigin = [...FOR_ANY_ORIGIN, ...pathsOfPrefix(dependencies.address)];
    for (const path of [...forAnyOrigin, ...FOR_CLIENTS]) scope.options(path, async (_, reply) => reply.code(204).send());
    scope.addHook('onRequest', allowOrigins(dependencies.origins, forAnyOrigin));
    const { common } = dependencies.limiters;
    if (common) scope.addHook('onRequest', countOAuthRequests(common));
    const toProvider = providerHandler(dependencies);
    scope.get(ADDRESSES.openidDiscovery, toProvider());
    scope.get(ADDRESSES.oauthDiscovery, toProvider());
    for (const path of pathsOfPrefix(dependencies.address)) scope.get(path, toProvider({ url: ADDRESSES.oauthDiscovery }));
    scope.get(ADDRESSES.jwks, toProvider());
    scope.get(ADDRESSES.authorize, atHome(dependencies.address, authorizeHandler(dependencies)));
    scope.post(ADDRESSES.authorize, asGet(dependencies.address, ADDRESSES.authorize));
    // The stored request counts, and no parameter of this one.
    scope.get(`${ADDRESSES.authorize}/:uid`, (request, reply) => toProvider({ url: pathOf(request) })(request, reply));
    if (dependencies.isImplicitOn) scope.get(ADDRESSES.implicit, atHome(dependencies.address, implicitHandler(dependencies)));
    scope.addHook('preHandler', takeEmptySecret(dependencies));
    scope.post(ADDRESSES.token, ofClient(dependencies, tokenHandler(dependencies)));
    scope.post(ADDRESSES.refresh, ofClient(dependencies, tokenHandler(dependencies)));
    scope.post(ADDRESSES.revocation, ofClient(dependencies, toProvider()));
    scope.post(ADDRESSES.introspection, toProvider());
    scope.post(ADDRESSES.deviceAuthorize, ofClient(dependencies, deviceHandler(dependencies)));
    scope.get(ADDRESSES.device, atHome(dependencies.address, devicePageHandler(dependencies)));
    scope.post(ADDRESSES.device, devicePostHandler(dependencies));
    scope.get(`${ADDRESSES.device}/:uid`, toProvider());
    scope.get(ADDRESSES.endSession, signOutHandler(dependencies));
    scope.post(ADDRESSES.endSession, asGet(dependencies.address, ADDRESSES.endSession));
    scope.post(ADDRESSES.endSessionConfirm, signOutHandler(dependencies));
    scope.route({ method: ['GET', 'POST'], url: ADDRESSES.userinfo, handler: userinfoHandler(dependencies) });
    scope.route({ method: ['GET', 'POST'], url: `${ADDRESSES.interaction}/:uid`, handler: interactionHandler(dependencies) });
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

/**
 * Returns where RFC 8414, 3.1, puts the metadata of an issuer with a path: after the well-known part. A proxy passes this path on as it
 * is.
 */
const pathsOfPrefix = ({ prefix }: PublicAddress): readonly string[] => (prefix === '' ? [] : [ADDRESSES.oauthDiscovery + prefix]);

const allowOrigins =
  (origins: ClientOrigins, forAnyOrigin: readonly string[]) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const path = pathOf(request);
    if (forAnyOrigin.includes(path)) allowOrigin(request, reply, '*');
    else if (FOR_CLIENTS.includes(path)) await origins.allowAny(request, reply);
  };

/** Answers pages of the origins of the client that a form names, and of no other client. */
const ofClient =
  ({ open, origins }: OAuthRouteDependencies, handler: Handler): Handler =>
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
  ({ open, address }: OAuthRouteDependencies) =>
  (rewrite?: Rewrite): Handler =>
  async (request, reply) =>
    answerByProvider((await open()).provider, koaRequest(request, address, rewrite), reply);

const authorizeHandler =
  (dependencies: OAuthRouteDependencies): Handler =>
  (request, reply) =>
    providerHandler(dependencies)({ url: authorizationUrl(withoutMarker(request.url)) })(request, reply);

const devicePageHandler =
  (dependencies: OAuthRouteDependencies): Handler =>
  (request, reply) =>
    providerHandler(dependencies)({ url: withoutMarker(request.url) })(request, reply);

const deviceHandler =
  (dependencies: OAuthRouteDependencies): Handler =>
  (request, reply) => {
    const form = new URLSearchParams(bodyOf(request).toString());
    const rewrite = lacksScope(form) ? { body: Buffer.from(addDefaultScope(form).toString()) } : {};
    return providerHandler(dependencies)(rewrite)(request, reply);
  };

const implicitHandler =
  (dependencies: OAuthRouteDependencies): Handler =>
  (request, reply) =>
    providerHandler(dependencies)({ url: implicitRequestUrl(request.url) })(request, reply);

const tokenHandler =
  (dependencies: OAuthRouteDependencies): Handler =>
  async (request, reply) => {
    const { artifacts, clock } = await dependencies.open();
    const form = new URLSearchParams(bodyOf(request).toString());
    const refreshes = request.url.startsWith(ADDRESSES.refresh);
    const body = refreshes ? refreshBody(form) : bodyOf(request);
    if (body === null) return sendError(reply, 'unsupported_grant_type', 'this address takes refresh tokens only');
    if (await isPolledTooSoon(form, artifacts, clock))
      return sendError(reply, 'slow_down', 'you are polling too quickly and should back off at a reasonable rate');
    return providerHandler(dependencies)({ body, ...(refreshes && { url: ADDRESSES.token }) })(request, reply);
  };

const userinfoHandler =
  ({ open, tokens, origins }: OAuthRouteDependencies): Handler =>
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
