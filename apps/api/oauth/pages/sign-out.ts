import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { OAuthClient, OAuthClients } from '../../../../libs/application/oauth/clients.js';
import { isEqualInConstantTime } from '../../../../libs/application/oauth/constant-time.js';
import type { IdTokenClaims, IdTokenReader } from '../../../../libs/ports/access-token.port.js';
import { escapeHtml, policyTargetOf } from '../../describe/pages/page.js';
import { ADDRESSES } from '../addresses.js';
import type { Grants } from '../grants.js';
import { formPageHtml, hiddenFields, type PageAnswer } from './form-page.js';

type SignOutDependencies = {
  readonly clients: Pick<OAuthClients, 'get'>;
  readonly grants: Pick<Grants, 'session' | 'end'>;
  readonly tokens: IdTokenReader;
  /** Returns the issuer of ID tokens. */
  readonly issuer: () => string;
  /** The key that signs cookies. It also signs the tokens of forms. */
  readonly cookieKey: string;
};

/** The parameters of a request that count (OpenID Connect RP-Initiated Logout 1.0, 2). */
const PARAMETERS = ['id_token_hint', 'post_logout_redirect_uri', 'state', 'client_id'] as const;
type Parameters = Readonly<Partial<Record<(typeof PARAMETERS)[number], string>>>;

/** A request whose hint names a sign-in of a registered client. */
type Valid = { readonly hint: Required<IdTokenClaims>; readonly client: OAuthClient; readonly parameters: Parameters };

/** Signs people out of a client (contract 32.8). The hint says whose sign-in ends: an ID token that this service has signed. */
export class SignOut {
  constructor(private readonly dependencies: SignOutDependencies) {}

  /** Shows the page that asks the person. A request alone ends nothing, because an ID token may be in the history of a browser. */
  async show(query: URLSearchParams): Promise<PageAnswer> {
    const valid = await this.validate(query);
    if ('reason' in valid) return refused(valid.reason);
    const { client, parameters } = valid;
    const html = signOutHtml(client.name, { ...parameters, form: this.formToken(parameters) });
    const target = parameters.post_logout_redirect_uri;
    return { status: 200, html, targets: target === undefined ? [] : [policyTargetOf(target)] };
  }

  /** Ends the session and the grant of the sign-in. The answer does not say whether they still existed. */
  async confirm(form: URLSearchParams, request: IncomingMessage): Promise<PageAnswer> {
    const valid = await this.validate(form);
    if ('reason' in valid) return refused(valid.reason);
    const { hint, client, parameters } = valid;
    if (!isEqualInConstantTime(form.get('form') ?? '', this.formToken(parameters))) return refused('The form is not from this page.');
    await this.end(hint, request);
    const { post_logout_redirect_uri: returnTo, state } = parameters;
    if (returnTo === undefined) return { status: 200, html: signedOutHtml(client.name), targets: [] };
    const location = new URL(returnTo);
    if (state !== undefined) location.searchParams.set('state', state);
    return { location: location.href };
  }

  private async end({ subject, client, sessionId }: Required<IdTokenClaims>, request: IncomingMessage): Promise<void> {
    const session = await this.dependencies.grants.session(sessionId);
    if (session?.userId === subject && session.clientId === client) await this.dependencies.grants.end(session.id, request);
  }

  private async validate(sent: URLSearchParams): Promise<Valid | { readonly reason: string }> {
    const parameters: Parameters = Object.fromEntries(
      PARAMETERS.flatMap((name) => {
        const value = sent.get(name);
        return value ? [[name, value]] : [];
      }),
    );
    if (PARAMETERS.some((name) => sent.getAll(name).length > 1)) return { reason: 'The application sent a parameter twice.' };
    const { id_token_hint: token, client_id: clientId, post_logout_redirect_uri: returnTo } = parameters;
    const hint = token === undefined ? null : await this.dependencies.tokens.readIdToken(token, this.dependencies.issuer());
    const client = hint && (await this.dependencies.clients.get(hint.client))?.client;
    // ID tokens of earlier versions name no session, so nothing could end.
    const sessionId = hint?.sessionId;
    if (!client || sessionId === undefined || (clientId !== undefined && clientId !== hint.client))
      return { reason: 'The application did not prove whose sign-in shall end.' };
    if (returnTo !== undefined && !client.postLogoutRedirectUris.includes(returnTo))
      return { reason: 'The application wants to return to an address that is not registered for it.' };
    return { hint: { ...hint, sessionId }, client, parameters };
  }

  /** Returns the token of the form, which proves that the page was shown for these parameters. */
  private formToken(parameters: Parameters): string {
    const text = PARAMETERS.map((name) => parameters[name] ?? '').join('\n');
    return createHmac('sha256', this.dependencies.cookieKey).update(`sign-out\n${text}`).digest('base64url');
  }
}

const refused = (reason: string): PageAnswer => ({ status: 400, html: signOutRefusedHtml(reason), targets: [] });

/** Creates the page that asks a person to confirm a sign-out. */
const signOutHtml = (client: string, fields: Readonly<Record<string, string>>): string =>
  formPageHtml(
    'Sign out',
    `<h1>Sign out of ${escapeHtml(client)}?</h1>
<p class="lead">The access that you gave to <strong>${escapeHtml(client)}</strong> ends. Your other applications stay signed in.</p>
<form method="post" action="${ADDRESSES.endSessionConfirm}">${hiddenFields(fields)}
<div class="actions"><button class="primary" autofocus>Sign out</button></div>
</form>`,
  );

/** Creates the page that a person sees after a sign-out that returns to no application. */
const signedOutHtml = (client: string): string =>
  formPageHtml(
    'Signed out',
    `<h1>Signed out</h1>
<p class="lead">The access of <strong>${escapeHtml(client)}</strong> has ended. You can close this page.</p>`,
  );

/** Creates the page for a request that does not prove whose sign-in shall end. `reason` is a sentence. */
const signOutRefusedHtml = (reason: string): string =>
  formPageHtml(
    'Nobody was signed out',
    `<h1>Nobody was signed out</h1>
<p class="lead">${escapeHtml(reason)}</p>
<p>Go back to the application and sign out there. If it happens again, tell the people who run the application.</p>`,
  );
