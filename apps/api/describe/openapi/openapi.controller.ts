import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { cachedDescription } from '../pages/cached-description.js';
import { REVALIDATE, sendRead } from '../../http/responses.js';
import type { PublicAddress } from '../../http/public-address.js';
import { OUTSIDE_ISSUER, PUBLIC_ADDRESS } from '../../tokens.js';
import { openapi31Document } from './document-3-1.js';
import { openapiDocument } from './document.js';

/** Serves the description of the HTTP interface in OpenAPI (contract 25.3). */
@Controller()
export class OpenapiController {
  private readonly document: ReturnType<typeof cachedDescription>;
  private readonly document31: ReturnType<typeof cachedDescription>;

  constructor(@Inject(PUBLIC_ADDRESS) address: PublicAddress, @Inject(OUTSIDE_ISSUER) outsideIssuer: string | null) {
    this.document = cachedDescription(address, (url) => openapiDocument(url, outsideIssuer));
    this.document31 = cachedDescription(address, (url) => openapi31Document(url, outsideIssuer));
  }

  @Get('openapi.json')
  read(@Res() reply: FastifyReply): void {
    const { json, etag } = this.document();
    sendRead(reply, json, etag, REVALIDATE);
  }

  @Get('openapi-3.1.json')
  read31(@Res() reply: FastifyReply): void {
    const { json, etag } = this.document31();
    sendRead(reply, json, etag, REVALIDATE);
  }
}
