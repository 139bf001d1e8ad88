import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { REVALIDATE, sendRead } from '../http/answers.js';
import { digestTag } from '../http/collections.js';
import type { PublicAddress } from '../http/public-address.js';
import { PUBLIC_ADDRESS } from '../tokens.js';
import { openapiDocument } from './document.js';

/** The interface description, made once for the address it is read at. */
@Controller()
export class OpenapiController {
  private made: { readonly url: string; readonly json: string; readonly etag: string } | null = null;

  constructor(@Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress) {}

  @Get('openapi.json')
  read(@Res() reply: FastifyReply): void {
    const { json, etag } = this.current();
    sendRead(reply, json, etag, REVALIDATE);
  }

  private current(): { readonly json: string; readonly etag: string } {
    const { url } = this.address;
    if (this.made?.url === url) return this.made;
    const json = JSON.stringify(openapiDocument(url));
    this.made = { url, json, etag: digestTag(json) };
    return this.made;
  }
}
