import { escapeHtml } from '../../describe/pages/page.js';
import { ADDRESSES } from '../addresses.js';
import { faultHtml, formPageHtml, hiddenFields } from './form-page.js';

type CodePage = { readonly formToken: string; readonly userCode: string | undefined; readonly fault: string | undefined };

/** Creates the page on which a person types the code of a device. */
export const deviceCodeHtml = ({ formToken, userCode = '', fault }: CodePage): string =>
  formPageHtml(
    'Connect a device',
    `<h1>Connect a device</h1>
<p class="lead">Enter the code that your device shows.</p>
${faultHtml(fault)}
<form method="post" action="${ADDRESSES.device}">${hiddenFields({ xsrf: formToken })}
<label for="user_code">Code</label>
<input class="code" id="user_code" name="user_code" value="${escapeHtml(userCode)}" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20" required autofocus${fault === undefined ? '' : ' aria-invalid="true" aria-describedby="fault"'}>
<div class="actions"><button class="primary">Continue</button></div>
</form>`,
  );

type ConfirmPage = { readonly formToken: string; readonly userCode: string; readonly client: string };

/**
 * Creates the page on which a person compares the code with the code on the device. The comparison is necessary, because
 * the link to this page may be from a stranger, with the code of the stranger's device (RFC 8628, 5.4).
 */
export const deviceConfirmHtml = ({ formToken, userCode, client }: ConfirmPage): string =>
  formPageHtml(
    'Is this your device?',
    `<h1>Is this your device?</h1>
<p class="lead"><strong>${escapeHtml(client)}</strong> shows this code:</p>
<p class="code shown">${escapeHtml(userCode)}</p>
<p>Continue only if you see the same code on your own device. If someone sent you the code or the link, cancel.</p>
<form method="post" action="${ADDRESSES.device}">${hiddenFields({ xsrf: formToken, user_code: userCode })}
<div class="actions"><button class="primary" name="confirm" value="yes">Continue</button>
<button name="abort" value="yes">Cancel</button></div>
</form>`,
  );

/** Creates the page that a person sees after a device has got access. */
export const deviceDoneHtml = (client: string): string =>
  formPageHtml(
    'Device connected',
    `<h1>Device connected</h1>
<p class="lead"><strong>${escapeHtml(client)}</strong> has access now. You can close this page.</p>`,
  );
