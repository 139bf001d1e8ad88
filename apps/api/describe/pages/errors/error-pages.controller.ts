import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ERROR_CODES, MAX_ERRORS } from '../../../http/problems/error-codes.js';
import { problemDescription, PROBLEMS, type ProblemDescription } from '../../../http/problems/problem-kinds.js';
import { Problem } from '../../../http/problems/problem.js';
import type { PublicAddress } from '../../../http/public-address.js';
import { PUBLIC_ADDRESS } from '../../../tokens.js';
import { escapeHtml, pageHtml, sendPage } from '../page.js';

/** "Every problem `type` is `{public base}/errors/{kind}`, and that page exists and explains cause and remedy." */
@Controller('errors')
export class ErrorPagesController {
  constructor(@Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress) {}

  @Get()
  index(@Res() reply: FastifyReply): void {
    sendPage(reply, indexPage());
  }

  @Get(':kind')
  kind(@Param('kind') kind: string, @Res() reply: FastifyReply): void {
    const description = problemDescription(kind);
    if (!description) throw new Problem('not-found', 'There is no such kind of problem.');
    sendPage(reply, kindPage(kind, description, this.address.url));
  }
}

const indexPage = (): string => {
  const kinds = Object.entries(PROBLEMS)
    .map(([kind, { status, title }]) => `<li><a href="/errors/${kind}">${escapeHtml(title)}</a> <span class="status">${status}</span></li>`)
    .join('');
  const body = `<main class="page"><h1>Errors</h1>
<p>Every error is a problem document (RFC 9457) of one of these kinds.</p>
<ul class="links kinds">${kinds}</ul>
<h2 id="codes">Codes in <code>errors</code></h2>
${codeTable()}</main>`;
  return pageHtml({ title: 'Errors', body });
};

const codeTable = (): string =>
  `<p>At most ${MAX_ERRORS} errors are listed. Where there are more, the problem has <code>"errorsTruncated": true</code>.</p><table><thead><tr><th>Code</th><th>Meaning</th></tr></thead><tbody>${Object.entries(
    ERROR_CODES,
  )
    .map(([code, meaning]) => `<tr><td><code>${code}</code></td><td>${escapeHtml(meaning)}</td></tr>`)
    .join('')}</tbody></table>`;

/** The kinds whose problems name fields. */
const ABOUT_FIELDS: ReadonlySet<string> = new Set(['invalid-request', 'validation-failed']);

const kindPage = (kind: string, { status, title, cause, remedy }: ProblemDescription, publicUrl: string): string => {
  const example = { type: `${publicUrl}/errors/${kind}`, title, status, detail: '…', instance: '/v1/…' };
  const body = `<main class="page"><span class="status">${status}</span>
<h1>${escapeHtml(title)}</h1>
<h2>Cause</h2>
<p>${escapeHtml(cause)}</p>
<h2>Remedy</h2>
<p>${escapeHtml(remedy)}</p>
<h2>As it is answered</h2>
<pre><code>${escapeHtml(JSON.stringify(example, null, 2))}</code></pre>
${ABOUT_FIELDS.has(kind) ? `<h2>Codes in <code>errors</code></h2>\n${codeTable()}\n` : ''}<p><a href="/errors">All kinds</a></p></main>`;
  return pageHtml({ title, body });
};
