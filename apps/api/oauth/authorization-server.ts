import type { INestApplicationContext } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Logger } from 'pino';
import type Provider from 'oidc-provider';
import { errors, type KoaContextWithOIDC } from 'oidc-provider';
import { Artifacts } from '../../../libs/application/oauth/artifacts.js';
import { OAuthClients } from '../../../libs/application/oauth/clients.js';
import { ProgramSessions } from '../../../libs/application/oauth/program-sessions.js';
import { Sessions } from '../../../libs/application/sessions/sessions.js';
import { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';
import { Documents } from '../../../libs/eventsourcing/ports/documents.port.js';
import type { Ids } from '../../../libs/eventsourcing/ports/ids.port.js';
import { KeyVault } from '../../../libs/eventsourcing/ports/key-vault.port.js';
import type { IdTokenReader, TokenSigner, TokenVerifier } from '../../../libs/ports/access-token.port.js';
import type { PrivateJwk } from '../../../libs/ports/signing-keys.port.js';
import { formPolicy, withPrefix } from '../describe/pages/page.js';
import type { Limiters } from '../http/admission/request-limits.js';
import { ALLOWED_ORIGIN } from '../http/cors.js';
import type { ReadBody } from '../http/bodies/bodies.js';
import type { FailedAttempts } from '../sign-in/failed-attempts.js';
import type { ClientOrigins } from './provider/client-origins.js';
import type { RecordEvent } from '../http/pipeline/security-events.js';
import type { PublicAddress } from '../http/public-address.js';
import { answerForAccessToken } from './provider/access-token-answers.js';
import { createAccounts, type Accounts } from './accounts.js';
import { TOKEN_SCOPES } from './api-scopes.js';
import { Grants } from './grants.js';
import { ADDRESSES } from './addresses.js';
import { Interactions } from './interactions.js';
import { SignOut } from './pages/sign-out.js';
import { addImplicitFlow } from './provider/implicit-flow.js';
import { answerUnavailable, isUnavailable, UNAVAILABLE } from './provider/outages.js';
import { createProvider } from './provider/provider.js';

/** The parts of an open authorization server that its routes use. */
export type AuthorizationServer = {
  readonly provider: Provider;
  readonly interactions: Interactions;
  readonly signOut: SignOut;
  readonly accounts: Accounts;
  readonly artifacts: Artifacts;
  readonly clock: Clock;
  /** Returns the status and the code for the error page, or null for an unexpected failure of the service. */
  readonly faultOf: (error: unknown) => { readonly status: number; readonly code: string } | null;
};

/** What the routes of the authorization server use. */
export type OAuthRouteDependencies = {
  /** Returns the authorization server. The first call opens it. */
  readonly open: () => Promise<AuthorizationServer>;
  readonly address: PublicAddress;
  /** The setting CLASSIC_IMPLICIT_FLOW. */
  readonly isImplicitOn: boolean;
  readonly tokens: TokenVerifier;
  readonly readBody: ReadBody;
  readonly limiters: Limiters;
  readonly failedAttempts: FailedAttempts;
  readonly origins: ClientOrigins;
};

/** What the process passes to the authorization server. */
export type ServerDependencies = {
  readonly app: Pick<INestApplicationContext, 'get'>;
  readonly address: PublicAddress;
  readonly tokens: TokenVerifier & IdTokenReader & Pick<TokenSigner, 'issuer'>;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly recordEvent: RecordEvent;
  /** The setting CLASSIC_IMPLICIT_FLOW. */
  readonly isImplicitOn: boolean;
};

/**
 * Opens the authorization server. The port of the public address must already be known, because ID tokens and the metadata
 * name this address as the issuer. `signingKeys` are the published keys, first the one that signs.
 */
export const openAuthorizationServer = async (
  dependencies: ServerDependencies,
  signingKeys: readonly [PrivateJwk, ...PrivateJwk[]],
): Promise<AuthorizationServer> => {
  const { app, address, tokens, ids, logger, recordEvent, isImplicitOn } = dependencies;
  const [documents, keys, clock] = [app.get<Documents>(Documents), app.get<KeyVault>(KeyVault), app.get<Clock>(Clock)];
  const queries = app.get(QueryBus);
  const artifacts = await Artifacts.open(documents, keys, clock);
  const accounts = createAccounts(queries);
  const idKey = await keys.serviceKey('oauth-cookies');
  const grants = new Grants({ artifacts, documents, commands: app.get(CommandBus), clock, ids, idKey, recordEvent });
  const clients = new OAuthClients(documents);
  const cookieKey = Buffer.from(idKey).toString('base64url');
  const provider = createProvider({
    issuer: address.url,
    tokenIssuer: tokens.issuer(),
    storage: { artifacts, clients, grants },
    accounts,
    now: () => clock.now(),
    programs: new ProgramSessions({ clients, sessions: new Sessions(documents), end: (id) => grants.end(id), clock, ids }),
    cookieKey,
    signingKeys,
  });
  if (isImplicitOn) addImplicitFlow(provider);
  provider.use(finishAnswers(tokens, grants, address));
  logFailures(provider, logger);
  const interactions = new Interactions({ provider, accounts, grants, cookieKey, recordEvent, queries });
  const signOut = new SignOut({ clients, grants, tokens, cookieKey, issuer: () => address.url });
  return { provider, accounts, artifacts, clock, interactions, signOut, faultOf };
};

const faultOf = (error: unknown): { readonly status: number; readonly code: string } | null => {
  if (isUnavailable(error)) return { status: 503, code: UNAVAILABLE };
  if (!(error instanceof errors.OIDCProviderError)) return null;
  return { status: error.statusCode, code: error instanceof errors.SessionNotFound ? 'expired' : error.error };
};

/** Returns Koa middleware that completes the answers of oidc-provider: page headers, metadata, answers about access tokens. */
const finishAnswers =
  (tokens: TokenVerifier, grants: Grants, address: PublicAddress) => async (ctx: KoaContextWithOIDC, next: () => Promise<void>) => {
    if (ctx.path.endsWith('/device') && ctx.method === 'GET' && ctx.query['user_code'] !== undefined) {
      // oidc-provider would submit the user code with a script. Instead, the page shows the code, and the person compares
      // it with the code on the device (RFC 8628, 5.4).
      ctx.state['userCode'] = String(ctx.query['user_code']);
      ctx.query = {};
    }
    // `ClientOrigins` has decided which page may read the answer. Without the header Origin, oidc-provider allows any page.
    const isReadable = ctx.res.hasHeader(ALLOWED_ORIGIN);
    try {
      await next();
      if (ctx.oidc) await answerForAccessToken(ctx, tokens, grants);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      ctx.state['failure'] = error;
    }
    if (!isReadable) for (const name of [ALLOWED_ORIGIN, 'access-control-expose-headers']) ctx.remove(name);
    if (isUnavailable(ctx.state['failure'])) answerUnavailable(ctx);
    if (ctx.oidc?.route === 'revocation' && ctx.status === 200) sendNoBody(ctx);
    if (ctx.type === 'text/html') finishPage(ctx, address);
    if (ctx.oidc?.route === 'discovery') completeMetadata(ctx.body as Metadata, address);
    // A new key is announced for longer than this (contract 31.2).
    if (ctx.oidc?.route === 'discovery' || ctx.oidc?.route === 'jwks') ctx.set('cache-control', 'public, max-age=300');
  };

/** Sends 200 without a body and without its type: some clients parse every body that is labelled JSON, also an empty one. */
const sendNoBody = (ctx: KoaContextWithOIDC): void => {
  ctx.body = null;
  ctx.status = 200;
  ctx.remove('content-type');
};

const finishPage = (ctx: KoaContextWithOIDC, address: PublicAddress): void => {
  ctx.body = withPrefix(String(ctx.body), address);
  ctx.set('content-security-policy', (ctx.state['policy'] as string | undefined) ?? formPolicy());
  ctx.set('referrer-policy', 'no-referrer');
  ctx.set('x-frame-options', 'DENY');
  ctx.set('cache-control', 'no-store');
};

type Metadata = {
  end_session_endpoint?: string;
  response_modes_supported?: readonly string[];
  scopes_supported?: readonly string[];
};

const completeMetadata = (metadata: Metadata, { url }: PublicAddress): void => {
  metadata.end_session_endpoint = `${url}${ADDRESSES.endSession}`;
  metadata.response_modes_supported = ['query', 'form_post'];
  metadata.scopes_supported = [...TOKEN_SCOPES, 'offline_access'];
};

/**
 * Logs failures of the service, and keeps each failure in `ctx.state` for the answer. Errors of clients are not logged.
 * Outages are not logged here either: the request log has a line with the status 503 for each.
 */
const logFailures = (provider: Provider, logger: Logger): void => {
  const log = (error: unknown): void => {
    if (!isUnavailable(error)) logger.error({ err: error }, 'the authorization server failed');
  };
  provider.on('server_error', (ctx: KoaContextWithOIDC, error: unknown) => {
    ctx.state['failure'] = error;
    log(error);
  });
  (provider as NodeJS.EventEmitter).on('error', log);
};
