import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { prefersHtml } from '../../../http/accept.js';
import { addVary, JSON_TYPE } from '../../../http/responses.js';
import type { PublicAddress } from '../../../http/public-address.js';
import { PUBLIC_ADDRESS, TOKEN_COMMAND } from '../../../tokens.js';
import { sendPage } from '../page.js';
import { landingHtml } from './landing.js';

/** The links of the landing page. */
const LINKS = {
  '/docs': 'The API reference, where requests can be tried out',
  '/openapi.json': 'The API as an OpenAPI 3.2 document',
  '/openapi-3.1.json': 'The API as an OpenAPI 3.1 document, for tools that do not read 3.2',
  '/docs/events': 'The events that the service publishes and sends: topics, webhooks, callbacks',
  '/asyncapi.json': 'The events as an AsyncAPI 3.1 document',
  '/asyncapi-3.0.json': 'The events as an AsyncAPI 3.0 document, for tools that do not read 3.1',
  '/docs/guides': 'Guides for developers of clients, operators and auditors',
  '/ops': 'The console for operators and auditors',
  '/errors': 'Every kind of problem, its cause and its remedy',
  '/health/ready': 'Whether the service is ready',
  '/v1/pets': 'The pets',
};

/** Returns the response for programs: the links of the landing page as JSON. */
const indexJson = (prefix: string): string => {
  const links: Readonly<Record<string, string>> = Object.fromEntries(Object.entries(LINKS).map(([path, text]) => [prefix + path, text]));
  return JSON.stringify({ name: 'Pet Store', version: '1.0.0', links });
};

/** Serves the address `/`: a page for browsers, JSON for programs (contract 1.4). */
@Controller()
export class LandingController {
  constructor(
    @Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress,
    @Inject(TOKEN_COMMAND) private readonly tokenCommand: string | null,
  ) {}

  @Get()
  read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    addVary(reply, 'Accept');
    if (prefersHtml(request.headers.accept)) sendPage(reply, landingHtml(this.address.url, this.tokenCommand));
    else reply.code(200).header('content-type', JSON_TYPE).header('cache-control', 'no-cache').send(indexJson(this.address.prefix));
  }
}
