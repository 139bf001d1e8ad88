import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { digestTag } from '../../../http/collections.js';
import { Problem } from '../../../http/problems/problem.js';
import type { PublicAddress } from '../../../http/public-address.js';
import { JSON_TYPE } from '../../../http/responses.js';
import { PUBLIC_ADDRESS } from '../../../tokens.js';
import { HTML_TYPE, POLICIES, setPageHeaders, withPrefix } from '../page.js';
import { sendPublic } from '../send-public.js';
import { guideHtml, GUIDES, guidesHtml, searchable, type GuideName } from './guides.js';

/** Serves the guides: documents of the repository, with a search. */
@Controller('docs/guides')
export class GuidesController {
  constructor(@Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress) {}

  @Get()
  async list(@Res() reply: FastifyReply): Promise<void> {
    await this.send(reply, guidesHtml());
  }

  @Get('search.json')
  async search(@Res() reply: FastifyReply): Promise<void> {
    const content = JSON.stringify(searchable());
    await sendPublic(reply, { type: JSON_TYPE, content, etag: digestTag(content) });
  }

  @Get(':name')
  async read(@Param('name') name: string, @Res() reply: FastifyReply): Promise<void> {
    if (!Object.hasOwn(GUIDES, name)) throw new Problem('not-found', 'There is no guide with this name.');
    await this.send(reply, guideHtml(name as GuideName));
  }

  private async send(reply: FastifyReply, html: string): Promise<void> {
    const content = withPrefix(html, this.address);
    setPageHeaders(reply, POLICIES.reference);
    await sendPublic(reply, { type: HTML_TYPE, content, etag: digestTag(content) });
  }
}
