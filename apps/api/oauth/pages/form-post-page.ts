import { escapeHtml } from '../../describe/pages/page.js';
import { formPageHtml, hiddenFields } from './form-page.js';

/** The script of the page. The policy of the page has its hash. */
export const SUBMIT = 'document.forms[0].submit();';

/** Creates the page that sends an answer to the redirect URI of a client as a form. Without scripts, the person presses the button. */
export const formPostHtml = (redirectUri: string, fields: Readonly<Record<string, string>>): string =>
  formPageHtml(
    'Return to the application',
    `<h1>Return to the application</h1>
<p class="quiet">You return to <code>${escapeHtml(redirectUri)}</code>.</p>
<form method="post" action="${escapeHtml(redirectUri)}">${hiddenFields(fields)}
<div class="actions"><button class="primary">Continue</button></div>
</form>
<script>${SUBMIT}</script>`,
  );
