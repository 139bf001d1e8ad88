import type Provider from 'oidc-provider';
import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { QueryBus } from '@nestjs/cqrs';
import { errors } from 'oidc-provider';
import { isEqualInConstantTime } from '../../../libs/application/oauth/constant-time.js';
import { CheckPassword, type CheckedAccount } from '../../../libs/application/sessions/sign-in.query.js';
import type { SecurityKind } from '../../../libs/domain/security/security.decider.js';
import { SHARED_POOL } from '../../../libs/eventsourcing/message.js';
import { callerNetwork } from '../http/admission/caller-network.js';
import type { RecordEvent } from '../http/pipeline/security-events.js';
import { checkPassword } from '../sign-in/check-password.js';
import type { Accounts } from './accounts.js';
import { policyTargetOf } from '../describe/pages/page.js';
import { ADDRESSES } from './addresses.js';
import { grantableScopes } from './api-scopes.js';
import { GRANT_LIFETIME, type Grants } from './grants.js';
import { callerOf } from './koa-bridge.js';
import { isRefused, type Attempt, type Refused } from '../sign-in/failed-attempts.js';
import { consentHtml } from './pages/consent-page.js';
import { tooManyText } from './pages/error-page.js';
import type { PageAnswer } from './pages/form-page.js';
import { signInHtml } from './pages/sign-in-page.js';
import { IMPLICIT_MODE } from './provider/implicit-request.js';
import { ACCESS_LIFETIME, RESOURCE, tenantOf } from './provider/provider.js';

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;
type Client = NonNullable<Awaited<ReturnType<Provider['Client']['find']>>>;

/** A request with the cookies of oidc-provider, and its response. */
type CookieContext = readonly [IncomingMessage, ServerResponse];

export type InteractionDependencies = {
  readonly provider: Provider;
  readonly accounts: Accounts;
  readonly grants: Grants;
  /** The key that signs cookies. It also signs the tokens of forms. */
  readonly cookieKey: string;
  readonly recordEvent: RecordEvent;
  readonly queries: QueryBus;
};

/**
 * The maximum lengths of a valid username and a valid password, in UTF-16 units (contract 30.1). A sign-in with a longer
 * username or password fails at once: the service neither normalizes nor hashes it.
 */
const LONGEST_USERNAME = 254;
const LONGEST_PASSWORD = 256;

const WRONG = 'The username or the password is wrong.';

/** The pages on which a person signs in and gives access (contract 32.3). */
export class Interactions {
  constructor(private readonly dependencies: InteractionDependencies) {}

  /** Returns the page of the current step: signing in, or giving access. */
  async show(context: CookieContext, uid: string): Promise<PageAnswer> {
    const { interaction, client } = await this.find(context, uid);
    return interaction.prompt.name === 'login' ? this.signInPage(interaction, client) : this.consentPage(interaction, client);
  }

  /**
   * Handles the form of a page: a sign-in, a consent or a refusal. `begin` begins an attempt to sign in.
   */
  async submit(context: CookieContext, uid: string, form: URLSearchParams, begin: () => Promise<Attempt | Refused>): Promise<PageAnswer> {
    const { interaction, client } = await this.find(context, uid);
    if (!isEqualInConstantTime(form.get('form') ?? '', this.formToken(interaction)))
      throw new errors.InvalidRequest('the form is not from this page');
    if (form.get('action') === 'deny') {
      await this.record('consent', context, interaction, client, { operation: 'oauthRefuse' });
      return this.finish(interaction, { error: 'access_denied', error_description: 'the person refused to give access' });
    }
    if (interaction.prompt.name !== 'login') return this.consent(context, interaction, client);
    const username = form.get('username') ?? '';
    const attempt = await begin();
    if (isRefused(attempt)) return this.limitedPage(interaction, client, username, attempt.retrySeconds);
    try {
      return await this.signIn(context, interaction, client, { username, password: form.get('password') ?? '', attempt });
    } finally {
      attempt.succeeded();
    }
  }

  private async find([request, response]: CookieContext, uid: string): Promise<{ interaction: Interaction; client: Client }> {
    const interaction = await this.dependencies.provider.interactionDetails(request, response);
    const client = await this.dependencies.provider.Client.find(String(interaction.params['client_id']));
    if (interaction.uid !== uid || !client) throw new errors.SessionNotFound('the sign-in has expired');
    return { interaction, client };
  }

  private async signIn(
    context: CookieContext,
    interaction: Interaction,
    client: Client,
    { username, password, attempt }: { readonly username: string; readonly password: string; readonly attempt: Attempt },
  ): Promise<PageAnswer> {
    const isPossible = username.length <= LONGEST_USERNAME && password.length <= LONGEST_PASSWORD;
    const check = new CheckPassword(username, password, tenantOf(client), callerNetwork(callerOf(context[0]).address));
    const account = isPossible ? await checkPassword(this.dependencies.queries, check) : ({ kind: 'wrong' } as const);
    if (account.kind === 'wrong') {
      attempt.failed();
      await this.record('sign-in-failed', context, interaction, client, { operation: 'oauthSignIn', status: 422 });
      return this.signInPage(interaction, client, { username, fault: WRONG, status: 422 });
    }
    if (account.kind === 'too-many-attempts') return this.limitedPage(interaction, client, username, account.retrySeconds);
    await this.endBrowserSession(interaction);
    await this.record('sign-in', context, interaction, client, { operation: 'oauthSignIn', actor: account.userId });
    return this.finish(interaction, { login: { accountId: account.userId, remember: false, amr: ['pwd'] }, account });
  }

  /**
   * Ends the earlier session of this browser, which may belong to another account. Otherwise, an attacker could sign in first,
   * and the next person in this browser would continue the attacker's session (session fixation).
   */
  private async endBrowserSession(interaction: Interaction): Promise<void> {
    const earlier = interaction.session?.uid && (await this.dependencies.provider.Session.findByUid(interaction.session.uid));
    if (earlier) await earlier.destroy();
    delete interaction.session;
  }

  private async consent(context: CookieContext, interaction: Interaction, client: Client): Promise<PageAnswer> {
    const { provider, grants } = this.dependencies;
    // The result of the sign-in, which `signIn` stored.
    const account = interaction.lastSubmission?.['account'] as CheckedAccount;
    const { granted, refused, openid } = requestedScopes(interaction, account);
    const grant = new provider.Grant({ accountId: account.userId, clientId: client.clientId });
    // Without a refresh token, the session ends when the access token expires.
    const lifetimeSeconds = hasRefreshToken(interaction, client) ? GRANT_LIFETIME : ACCESS_LIFETIME;
    // The id of the grant is the id of its session.
    grant.jti = await grants.start(account, {
      signIn: interaction.uid,
      clientId: client.clientId,
      tenant: tenantOf(client),
      scopes: granted,
      lifetimeSeconds,
    });
    // The removal of a client ends its sessions, and may have missed this one.
    if (!(await provider.Client.find(client.clientId))) {
      await grants.end(grant.jti, context[0]);
      throw new errors.SessionNotFound('the client was removed');
    }
    if (openid.length > 0) grant.addOIDCScope(openid.join(' '));
    if (granted.length > 0) grant.addResourceScope(RESOURCE, granted.join(' '));
    if (refused.length > 0) grant.rejectResourceScope(RESOURCE, refused.join(' '));
    const consent = { grantId: await grant.save() };
    await this.record('consent', context, interaction, client, {
      operation: 'oauthConsent',
      actor: account.userId,
      target: consent.grantId,
    });
    return this.finish(interaction, { ...interaction.lastSubmission, consent });
  }

  private record(
    kind: SecurityKind,
    [request]: CookieContext,
    interaction: Interaction,
    client: Client,
    data: { readonly operation: string; readonly actor?: string; readonly target?: string; readonly status?: number },
  ): Promise<void> {
    const actor = interaction.session?.accountId ?? 'anonymous';
    const { address, requestId } = callerOf(request);
    return this.dependencies.recordEvent(
      { actor, ...data, kind, address, client: client.clientId },
      { tenant: tenantOf(client), requestId },
    );
  }

  /** Stores the result of the step. oidc-provider continues with the result at the returned location. */
  private async finish(interaction: Interaction, result: NonNullable<Interaction['result']>): Promise<PageAnswer> {
    interaction.result = result;
    await interaction.persist();
    return { location: interaction.returnTo };
  }

  private limitedPage(interaction: Interaction, client: Client, username: string, retrySeconds: number): PageAnswer {
    const page = this.signInPage(interaction, client, { username, fault: tooManyText(retrySeconds), status: 429 });
    return { ...page, retrySeconds };
  }

  private signInPage(
    interaction: Interaction,
    client: Client,
    { status = 200, ...state }: { readonly username?: string; readonly fault?: string; readonly status?: number } = {},
  ): PageAnswer {
    return { status, html: signInHtml({ ...this.common(interaction, client), ...state }), targets: targetsOf(interaction) };
  }

  private async consentPage(interaction: Interaction, client: Client): Promise<PageAnswer> {
    const account = await this.dependencies.accounts.find(interaction.session?.accountId ?? '', tenantOf(client));
    if (!account) throw new errors.SessionNotFound('the account no longer exists');
    const { granted, openid } = requestedScopes(interaction, account);
    const html = consentHtml({
      ...this.common(interaction, client),
      username: account.username,
      scopes: [...new Set([...openid, ...granted])],
      lasts: hasRefreshToken(interaction, client) ? '30 days' : 'an hour',
      returnsTo: interaction.deviceCode === undefined ? String(interaction.params['redirect_uri']) : undefined,
    });
    return { status: 200, html, targets: targetsOf(interaction) };
  }

  private common(interaction: Interaction, client: Client) {
    const tenant = tenantOf(client);
    return {
      client: client.clientName ?? client.clientId,
      tenant: tenant === SHARED_POOL ? undefined : tenant,
      action: `${ADDRESSES.interaction}/${interaction.uid}`,
      formToken: this.formToken(interaction),
    };
  }

  /**
   * Returns the token of a form. It is valid for one page of one sign-in. Another site does not know the token of this
   * sign-in, so it cannot send the form.
   */
  private formToken({ uid, prompt }: Interaction): string {
    return createHmac('sha256', this.dependencies.cookieKey).update(`form\n${uid}\n${prompt.name}`).digest('base64url');
  }
}

/** Returns whether the client gets a refresh token. The implicit flow has none. */
const hasRefreshToken = ({ params }: Interaction, client: Client): boolean =>
  params['response_mode'] !== IMPLICIT_MODE && client.grantTypeAllowed('refresh_token');

/**
 * Returns the requested scopes that still need consent. `openid` are the scopes of OpenID Connect. Of the other scopes,
 * `granted` are those that the account may grant, and `refused` are those that it may not grant.
 */
const requestedScopes = ({ prompt }: Interaction, account: { readonly isStaff: boolean }) => {
  const { missingOIDCScope = [], missingResourceScopes = {} } = prompt.details as {
    readonly missingOIDCScope?: readonly string[];
    readonly missingResourceScopes?: Readonly<Record<string, readonly string[]>>;
  };
  const requested = missingResourceScopes[RESOURCE] ?? [];
  const grantable = grantableScopes(account);
  return {
    openid: missingOIDCScope,
    granted: requested.filter((scope) => grantable.has(scope)),
    refused: requested.filter((scope) => !grantable.has(scope)),
  };
};

/** Returns what the policy of a page names for the client's redirect URI. A device has no redirect URI. */
const targetsOf = ({ params, deviceCode }: Interaction): readonly string[] =>
  deviceCode === undefined ? [policyTargetOf(String(params['redirect_uri']))] : [];
