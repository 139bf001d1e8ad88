import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Problem } from '../../../http/problems/problem.js';
import type { PublicAddress } from '../../../http/public-address.js';
import { JSON_TYPE } from '../../../http/responses.js';
import { PUBLIC_ADDRESS } from '../../../tokens.js';
import { cachedDescription, cachedText } from '../cached-description.js';
import { HTML_TYPE, POLICIES, setPageHeaders, withPrefix } from '../page.js';
import { sendPublic } from '../send-public.js';
import { GUIDE_NAMES, guideHtml, guidesHtml, searchable } from './guides.js';

/** Serves the guides: documents of the repository, with a search. */
@Controller('docs/guides')
export class GuidesController {
  private readonly index: ReturnType<typeof cachedText>;
  private readonly guides: ReadonlyMap<string, ReturnType<typeof cachedText>>;
  private readonly sections: ReturnType<typeof cachedDescription>;

  constructor(@Inject(PUBLIC_ADDRESS) address: PublicAddress) {
    const page = (html: () => string) => cachedText(address, () => withPrefix(html(), address));
    this.index = page(guidesHtml);
    this.guides = new Map(GUIDE_NAMES.map((name) => [name, page(() => guideHtml(name))]));
    this.sections = cachedDescription(address, searchable);
  }

  @Get()
  async list(@Res() reply: FastifyReply): Promise<void> {
    await sendGuide(reply, this.index);
  }

  @Get('search.json')
  async search(@Res() reply: FastifyReply): Promise<void> {
    const { json, etag } = this.sections();
    await sendPublic(reply, { type: JSON_TYPE, content: json, etag });
  }

  @Get(':name')
  async read(@Param('name') name: string, @Res() reply: FastifyReply): Promise<void> {
    const guide = this.guides.get(name);
    if (!guide) throw new Problem('not-found', 'There is no guide with this name.');
    await sendGuide(reply, guide);
  }
}

const sendGuide = async (reply: FastifyReply, page: ReturnType<typeof cachedText>): Promise<void> => {
  const { text, etag } = page();
  setPageHeaders(reply, POLICIES.reference);
  await sendPublic(reply, { type: HTML_TYPE, content: text, etag });
};
