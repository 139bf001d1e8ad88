import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { JSON_TYPE } from '../../../http/answers.js';
import { noneMatchHas } from '../../../http/consistency/entity-tags.js';
import { Problem } from '../../../http/problems/problem.js';
import { pageHtml, sendPage } from '../page.js';
import { referenceFile } from '../assets/page-files.js';

/** What there is to see, for people and programs alike. */
const LINKS = {
  '/docs': 'The interface, to read and to try out',
  '/openapi.json': 'The interface as an OpenAPI 3.2 document',
  '/docs/events': 'What the store tells on its own: topics, webhooks, callbacks',
  '/asyncapi.json': 'The same as an AsyncAPI 3.1 document',
  '/errors': 'Every kind of problem, its cause and its remedy',
  '/health/ready': 'Whether the service is ready',
  '/v1/pets': 'The pets',
} as const;

const INDEX_JSON = JSON.stringify({ name: 'Pet Store', version: '1.0.0', links: LINKS });

const INDEX_HTML = pageHtml({
  title: 'Welcome',
  body: `<main class="page"><h1>Pet Store</h1><ul class="links">${Object.entries(LINKS)
    .map(([path, meaning]) => `<li><a href="${path}">${path}</a><small>${meaning}</small></li>`)
    .join('')}</ul></main>`,
});

const REFERENCE_HTML = pageHtml({
  title: 'Interface',
  stylesheets: ['/docs/swagger-ui.css', '/docs/reference.css'],
  body: '<main id="reference"><noscript>The reference needs JavaScript; <a href="/openapi.json">the OpenAPI document</a> does not.</noscript></main>',
  scripts: ['/docs/swagger-ui-bundle.js', '/docs/start.js'],
});

/** The pages for people who meet the service first. */
@Controller()
export class DocsController {
  @Get()
  index(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    if (request.headers.accept?.includes('text/html')) sendPage(reply, INDEX_HTML);
    else reply.code(200).header('content-type', JSON_TYPE).header('cache-control', 'no-cache').send(INDEX_JSON);
  }

  @Get('docs')
  reference(@Res() reply: FastifyReply): void {
    sendPage(reply, REFERENCE_HTML, 'reference');
  }

  @Get('docs/:file')
  file(@Param('file') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const file = referenceFile(name);
    if (!file) throw new Problem('not-found', 'There is nothing at this address.');
    const known = request.headers['if-none-match'];
    reply.header('etag', `"${file.etag}"`).header('cache-control', 'no-cache');
    if (known !== undefined && noneMatchHas(known, file.etag)) reply.code(304).send();
    else reply.code(200).header('content-type', file.type).send(file.content);
  }
}
