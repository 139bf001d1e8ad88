import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { cachedDescription } from '../pages/cached-description.js';
import { REVALIDATE, sendRead } from '../../http/responses.js';
import type { PublicAddress } from '../../http/public-address.js';
import { PUBLIC_ADDRESS, TOPIC_SETTINGS } from '../../tokens.js';
import { asyncapi30Document, asyncapiDocument } from './document.js';
import type { TopicSettings } from './topics.js';

/** Serves the AsyncAPI documents 3.1 and 3.0, which describe all messages (contract 25.4). */
@Controller()
export class AsyncapiController {
  private readonly document: ReturnType<typeof cachedDescription>;
  private readonly document30: ReturnType<typeof cachedDescription>;

  constructor(@Inject(PUBLIC_ADDRESS) address: PublicAddress, @Inject(TOPIC_SETTINGS) topics: TopicSettings) {
    this.document = cachedDescription(address, (publicUrl) => asyncapiDocument(publicUrl, topics));
    this.document30 = cachedDescription(address, (publicUrl) => asyncapi30Document(publicUrl, topics));
  }

  @Get('asyncapi.json')
  read(@Res() reply: FastifyReply): void {
    const { json, etag } = this.document();
    sendRead(reply, json, etag, REVALIDATE);
  }

  @Get('asyncapi-3.0.json')
  read30(@Res() reply: FastifyReply): void {
    const { json, etag } = this.document30();
    sendRead(reply, json, etag, REVALIDATE);
  }
}
