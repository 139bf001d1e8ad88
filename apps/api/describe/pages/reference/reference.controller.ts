import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { JSON_TYPE } from '../../../http/responses.js';
import { Problem } from '../../../http/problems/problem.js';
import type { PublicAddress } from '../../../http/public-address.js';
import { DOCS_RETURN_PATH } from '../../../oauth/provider/page-clients.js';
import { OUTSIDE_ISSUER, PUBLIC_ADDRESS } from '../../../tokens.js';
import { cachedDescription } from '../cached-description.js';
import { OPERATIONS } from '../../../operations.js';
import { pageFile } from '../page-files.js';
import { sendPublic } from '../send-public.js';
import { pageHtml, POLICIES, sendPage } from '../page.js';
import { referenceDocument } from './reference-document.js';
import { referenceHtml } from './reference-page.js';

const REFERENCE_HTML = referenceHtml({
  tab: '/docs',
  prefix: '/v1',
  documentUrl: '/docs/reference.json',
  forPrograms: '/openapi.json',
  operations: Object.values(OPERATIONS),
});

/** The page in a window of its own to which the browser returns. Its script passes the code to the reference page, and closes it. */
const SIGNED_IN_HTML = pageHtml({
  title: 'Signed in',
  body: `<main class="page">
<h1>Signed in</h1>
<p>This window passes the result to <a href="/docs">the reference</a>, and closes.</p>
</main>`,
  scripts: ['/docs/oauth2-redirect.js'],
});

/** Serves the reference page (`/docs`), and the files that all pages load. */
@Controller()
export class ReferenceController {
  private readonly openapi: ReturnType<typeof cachedDescription>;

  constructor(@Inject(PUBLIC_ADDRESS) address: PublicAddress, @Inject(OUTSIDE_ISSUER) outsideIssuer: string | null) {
    this.openapi = cachedDescription(address, (url) => referenceDocument(url, outsideIssuer));
  }

  @Get('docs')
  page(@Res() reply: FastifyReply): void {
    sendPage(reply, REFERENCE_HTML, { policy: POLICIES.reference });
  }

  @Get(DOCS_RETURN_PATH)
  signedIn(@Res() reply: FastifyReply): void {
    sendPage(reply, SIGNED_IN_HTML);
  }

  @Get('docs/reference.json')
  async document(@Res() reply: FastifyReply): Promise<void> {
    const { json, etag } = this.openapi();
    await sendPublic(reply, { type: JSON_TYPE, content: json, etag });
  }

  @Get('docs/:file')
  async file(@Param('file') name: string, @Res() reply: FastifyReply): Promise<void> {
    const file = pageFile(name);
    if (!file) throw new Problem('not-found', 'There is nothing at this address.');
    await sendPublic(reply, file);
  }

  /** Browsers request `/favicon.ico` when they show a JSON document, because JSON cannot link to an icon. */
  @Get('favicon.ico')
  async icon(@Res() reply: FastifyReply): Promise<void> {
    await this.file('favicon.svg', reply);
  }
}
