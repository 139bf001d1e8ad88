import { escapeHtml, pageHtml } from '../../describe/pages/page.js';

/** Creates a page with one narrow column. `body` is HTML. */
export const formPageHtml = (title: string, body: string): string =>
  pageHtml({ title, scripts: [], stylesheets: ['/docs/forms.css'], body: `<main class="page form-page">${body}</main>` });

/** Creates hidden fields of a form. */
export const hiddenFields = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('');

/** Creates the message about a fault, or an empty text without a fault. Screen readers read the message at once. */
export const faultHtml = (fault: string | undefined): string =>
  fault === undefined ? '' : `<p class="fault" role="alert" id="fault">${escapeHtml(fault)}</p>`;

/**
 * A page, or the URL to which the browser is redirected. `targets` are the origins or schemes to which the browser may be
 * redirected after the form of the page was sent.
 */
export type PageAnswer =
  | {
      readonly status: number;
      readonly html: string;
      readonly targets: readonly string[];
      /** For the header Retry-After of the status 429. */
      readonly retrySeconds?: number;
    }
  | { readonly location: string };
