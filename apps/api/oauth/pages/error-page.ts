import { escapeHtml } from '../../describe/pages/page.js';
import { formPageHtml } from './form-page.js';

/** What each error means to a person. The messages of oidc-provider are for programs, and are not shown. */
const MEANINGS: Readonly<Record<string, string>> = {
  expired: 'The sign-in has expired, or it was started in another browser.',
  invalid_client: 'The application is not known here.',
  invalid_redirect_uri: 'The application wants to return to an address that is not registered for it.',
  temporarily_unavailable: 'The service cannot do this at the moment. Try again soon.',
  server_error: 'The service could not do this now. Try again later.',
};

/** The text for a person whose address has sent too many requests or attempts. */
export const tooManyText = (retrySeconds: number): string =>
  `There were too many attempts. Try again in ${retrySeconds === 1 ? 'one second' : `${retrySeconds} seconds`}.`;

/** The meaning of all other errors. */
const OTHERWISE = 'The request of the application is not complete, or not valid.';

/**
 * Creates the page for an error that cannot be sent to the client by a redirect. `error` is a code of oidc-provider, such
 * as those of RFC 6749, or `expired`, or `too_many_requests` with `retrySeconds`.
 */
export const errorHtml = (error: string, retrySeconds?: number): string =>
  formPageHtml(
    'This did not work',
    `<p class="crumbs"><span class="status">${escapeHtml(error)}</span></p>
<h1>This did not work</h1>
<p class="lead">${retrySeconds === undefined ? (MEANINGS[error] ?? OTHERWISE) : tooManyText(retrySeconds)}</p>
<p>Go back to the application and start again. If it happens again, tell the people who run the application.</p>`,
  );
