import { escapeHtml } from '../../describe/pages/page.js';
import { faultHtml, formPageHtml, hiddenFields } from './form-page.js';

type SignInPage = {
  readonly client: string;
  /** The tenant, or undefined for the shared pool. */
  readonly tenant: string | undefined;
  readonly action: string;
  readonly formToken: string;
  readonly username?: string;
  readonly fault?: string;
};

/** Creates the page for signing in. After a failed attempt, `username` is the name that was entered, and `fault` says why. */
export const signInHtml = ({ client, tenant, action, formToken, username = '', fault }: SignInPage): string => {
  const described = fault === undefined ? '' : ' aria-invalid="true" aria-describedby="fault"';
  return formPageHtml(
    'Sign in',
    `<h1>Sign in</h1>
<p class="lead">to continue to <strong>${escapeHtml(client)}</strong></p>${tenantHtml(tenant)}
${faultHtml(fault)}
<form method="post" action="${escapeHtml(action)}">${hiddenFields({ form: formToken })}
<label for="username">Username</label>
<input id="username" name="username" value="${escapeHtml(username)}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254" required${username === '' ? ' autofocus' : ''}${described}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="128" required${username === '' ? '' : ' autofocus'}${described}>
<div class="actions"><button class="primary" name="action" value="sign-in">Sign in</button>
<button name="action" value="deny" formnovalidate>Cancel</button></div>
</form>`,
  );
};

/** Creates the line that names the tenant of the accounts. The shared pool has no line. */
export const tenantHtml = (tenant: string | undefined): string =>
  tenant === undefined ? '' : `<p class="quiet">Accounts of the tenant <code>${escapeHtml(tenant)}</code></p>`;
