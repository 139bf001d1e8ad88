import { escapeHtml } from '../../describe/pages/page.js';
import { ADDRESSES } from '../addresses.js';
import { formPageHtml, hiddenFields } from './form-page.js';

/** Creates the page that asks a person to confirm a sign-out. */
export const signOutHtml = (client: string, fields: Readonly<Record<string, string>>): string =>
  formPageHtml(
    'Sign out',
    `<h1>Sign out of ${escapeHtml(client)}?</h1>
<p class="lead">The access that you gave to <strong>${escapeHtml(client)}</strong> ends. Your other applications stay signed in.</p>
<form method="post" action="${ADDRESSES.endSessionConfirm}">${hiddenFields(fields)}
<div class="actions"><button class="primary" autofocus>Sign out</button></div>
</form>`,
  );

/** Creates the page that a person sees after a sign-out that returns to no application. */
export const signedOutHtml = (client: string): string =>
  formPageHtml(
    'Signed out',
    `<h1>Signed out</h1>
<p class="lead">The access of <strong>${escapeHtml(client)}</strong> has ended. You can close this page.</p>`,
  );

/** Creates the page for a request that does not prove whose sign-in shall end. `reason` is a sentence. */
export const signOutRefusedHtml = (reason: string): string =>
  formPageHtml(
    'Nobody was signed out',
    `<h1>Nobody was signed out</h1>
<p class="lead">${escapeHtml(reason)}</p>
<p>Go back to the application and sign out there. If it happens again, tell the people who run the application.</p>`,
  );
