import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { describedAt } from '../pages/described.js';
import { REVALIDATE, sendRead } from '../../http/answers.js';
import type { PublicAddress } from '../../http/public-address.js';
import { PUBLIC_ADDRESS } from '../../tokens.js';
import { openapi31Document } from './document-3-1.js';
import { openapiDocument } from './document.js';

/** The HTTP interface in OpenAPI (contract 25.3). */
@Controller()
export class OpenapiController {
  private readonly described: ReturnType<typeof describedAt>;
  private readonly described31: ReturnType<typeof describedAt>;

  constructor(@Inject(PUBLIC_ADDRESS) address: PublicAddress) {
    this.described = describedAt(address, openapiDocument);
    this.described31 = describedAt(address, openapi31Document);
  }

  @Get('openapi.json')
  read(@Res() reply: FastifyReply): void {
    const { json, etag } = this.described();
    sendRead(reply, json, etag, REVALIDATE);
  }

  @Get('openapi-3.1.json')
  read31(@Res() reply: FastifyReply): void {
    const { json, etag } = this.described31();
    sendRead(reply, json, etag, REVALIDATE);
  }
}
