import { escapeHtml } from '../../describe/pages/page.js';
import { SCOPE_WORDS } from '../api-scopes.js';
import { formPageHtml, hiddenFields } from './form-page.js';
import { tenantHtml } from './sign-in-page.js';

type ConsentPage = {
  readonly client: string;
  readonly tenant: string | undefined;
  readonly username: string;
  /** The scopes that the account may grant. */
  readonly scopes: readonly string[];
  /** How long the access lasts, in words. */
  readonly lasts: string;
  /** The redirect URI to which the browser returns afterwards, or undefined for a device. */
  readonly returnsTo: string | undefined;
  readonly action: string;
  readonly formToken: string;
};

const isKnown = (scope: string): scope is keyof typeof SCOPE_WORDS => Object.hasOwn(SCOPE_WORDS, scope);

const scopeHtml = (scope: string): string =>
  isKnown(scope) ? `<li>${escapeHtml(SCOPE_WORDS[scope])} <small><code>${escapeHtml(scope)}</code></small></li>` : '';

/** Creates the page on which a person gives or refuses access to a client. */
export const consentHtml = ({ client, tenant, username, scopes, lasts, returnsTo, action, formToken }: ConsentPage): string =>
  formPageHtml(
    'Give access',
    `<h1>Give access to ${escapeHtml(client)}?</h1>
<p>You are signed in as <strong>${escapeHtml(username)}</strong>.</p>${tenantHtml(tenant)}
<p id="scopes">The application then can:</p>
<ul class="scopes" aria-labelledby="scopes"><li>See your account, orders and adoption applications, and order and apply for pets for you</li>${scopes.map(scopeHtml).join('')}</ul>
<p>The access ends after ${lasts}, or when you change your password.</p>
<form method="post" action="${escapeHtml(action)}">${hiddenFields({ form: formToken })}
<div class="actions"><button class="primary" name="action" value="allow">Give access</button>
<button name="action" value="deny">Refuse</button></div>
</form>
${returnsTo === undefined ? '' : `<p class="quiet">Afterwards you return to <code>${escapeHtml(returnsTo)}</code>.</p>`}`,
  );
