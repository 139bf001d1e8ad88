import { ERROR_CODES, MAX_ERRORS } from '../../../http/problems/error-codes.js';
import { PROBLEMS } from '../../../http/problems/problem-kinds.js';
import { escapeHtml, pageHtml } from '../page.js';

/** Creates the page that lists all kinds of problems. */
export const errorsHtml = (): string =>
  pageHtml({
    title: 'Errors',
    section: '/errors',
    body: `<main class="page"><h1>Errors</h1>
<p class="lead">Every error is a problem document (RFC 9457). Its <code>type</code> is the address of one of these pages.</p>
<h2 id="kinds">Kinds</h2>
${kindTable()}
<h2 id="codes">Codes in <code>errors</code></h2>
<p>If fields of a request are invalid, the <code>errors</code> of the problem list each field with a <code>code</code>.</p>
${codeTable()}</main>`,
  });

const kindTable = (): string =>
  `<table class="rows kinds"><thead><tr><th scope="col">Status</th><th scope="col">Problem</th><th scope="col">Cause</th></tr></thead><tbody>${Object.entries(
    PROBLEMS,
  )
    .toSorted(([, one], [, other]) => one.status - other.status)
    .map(
      ([kind, { status, title, cause }]) =>
        `<tr><td><span class="status">${status}</span></td><td><a href="/errors/${kind}">${escapeHtml(title)}</a></td><td>${escapeHtml(cause)}</td></tr>`,
    )
    .join('')}</tbody></table>`;

/** Creates the table of all codes with their meanings. */
export const codeTable = (): string =>
  `<table class="rows codes"><thead><tr><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead><tbody>${Object.entries(
    ERROR_CODES,
  )
    .map(([code, meaning]) => `<tr><td><code>${code}</code></td><td>${escapeHtml(meaning)}</td></tr>`)
    .join('')}</tbody></table>
<p>A problem lists at most ${MAX_ERRORS} errors. If there are more, it has <code>"errorsTruncated": true</code>.</p>`;
