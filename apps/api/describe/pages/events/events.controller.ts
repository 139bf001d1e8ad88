import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { pageHtml, sendPage } from '../page.js';
import { topicsPart } from './topics-part.js';
import { webhooksPart } from './webhooks-part.js';

/** "Never claim exactly-once: at least once, stable ids, order per key." */
const PROMISES = `<section id="promises"><h2>What is promised</h2>
<dl class="promises">
<dt>At least once</dt><dd>Nothing that happened goes untold, whatever is killed on the way. Something may come twice.</dd>
<dt>Stable ids</dt><dd>A repeat has the id of the first: <code>ce_id</code> on topics, <code>webhook-id</code> on webhooks. Remember the ids you have dealt with, and drop what you know.</dd>
<dt>Order per key</dt><dd>The messages of one pet, order or payment stand in its topic in the order of what happened. Webhooks keep that order where <code>ordered</code> was asked for. Between keys there is no order.</dd>
<dt>Only more</dt><dd>Messages and properties may be added: pass over what you do not know. Nothing is taken away or changed; what must be otherwise comes in a topic <code>v2</code>, or under another event name, beside the first.</dd>
<dt>Nobody’s secrets</dt><dd>No topic says who ordered or what was paid with. An event about such things has a message without data.</dd>
</dl></section>`;

const SEQUENCE = `<section id="sequence"><h2>Sequence and gaps</h2>
<p><code>ce_sequence</code> counts the messages of a key: 1, 2, 3, … Every event makes exactly one message, so a reader knows where it stands. Keep the last number of each key:</p>
<div class="wide"><table><thead><tr><th>What comes</th><th>What it means</th></tr></thead><tbody>
<tr><td>the next number</td><td>go on</td></tr>
<tr><td>the same, or a smaller one</td><td>a repeat: drop it</td></tr>
<tr><td>a larger one</td><td>a gap: you began in the middle, or missed something. Read the topic from the beginning, or ask the interface how things stand now</td></tr>
</tbody></table></div></section>`;

const CONTENTS = `<nav class="contents" aria-label="On this page"><a href="#promises">Promises</a><a href="#topics">Topics</a><a href="#sequence">Sequence and gaps</a><a href="#webhooks">Webhooks</a><a href="#verify">Signatures</a><a href="#callbacks">Callbacks</a></nav>`;

const eventsHtml = (): string =>
  pageHtml({
    title: 'Events',
    body: `<main class="page events"><h1>Events</h1>
<p>The store publishes events to topics, when it runs on several machines, and delivers webhooks to every registered address. <a href="/asyncapi.json">The AsyncAPI document</a> says the same to programs.</p>
${CONTENTS}
${PROMISES}
${topicsPart()}
${SEQUENCE}
${webhooksPart()}</main>`,
  });

/** What the store tells on its own, to read. */
@Controller('docs/events')
export class EventsPageController {
  private readonly html = eventsHtml();

  @Get()
  read(@Res() reply: FastifyReply): void {
    sendPage(reply, this.html);
  }
}
