import { createHash } from 'node:crypto';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { escapeHtml, formTargetPolicy } from '../../describe/pages/page.js';
import { formPageHtml, hiddenFields } from '../pages/form-page.js';

/**
 * The response mode `form_post` (OAuth 2.0 Form Post Response Mode), under a name of its own: the mode of oidc-provider, which cannot be
 * replaced, has another page, another status and no policy.
 */
export const FORM_POST = 'form-post-page';

/** The script of the page. The policy of the page has its hash. */
const SUBMIT = 'document.forms[0].submit();';
const SUBMIT_HASH = `'sha256-${createHash('sha256').update(SUBMIT).digest('base64')}'`;

/** Adds the response mode: a page sends the answer to the redirect URI as a form (contract 32.2). */
export const addFormPost = (provider: Provider): void =>
  provider.registerResponseMode(FORM_POST, (ctx: KoaContextWithOIDC, redirectUri: string, answer: object) => {
    // The members of an answer are texts.
    const fields = Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== undefined)) as Readonly<
      Record<string, string>
    >;
    ctx.status = 200;
    ctx.type = 'html';
    ctx.body = formPostHtml(redirectUri, fields);
    ctx.state['policy'] = formTargetPolicy(redirectUri, SUBMIT_HASH);
  });

/** Creates the page that sends an answer to the redirect URI of a client as a form. Without scripts, the person presses the button. */
const formPostHtml = (redirectUri: string, fields: Readonly<Record<string, string>>): string =>
  formPageHtml(
    'Return to the application',
    `<h1>Return to the application</h1>
<p class="quiet">You return to <code>${escapeHtml(redirectUri)}</code>.</p>
<form method="post" action="${escapeHtml(redirectUri)}">${hiddenFields(fields)}
<div class="actions"><button class="primary">Continue</button></div>
</form>
<script>${SUBMIT}</script>`,
  );
