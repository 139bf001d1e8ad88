import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { RETRY_DELAYS, TOPIC_SETTINGS } from '../../../tokens.js';
import type { TopicSettings } from '../../asyncapi/topics.js';
import { pageHtml, sendPage } from '../page.js';
import { contentsHtml } from './contents.js';
import { topicsPart } from './topics-part.js';
import { callbacksPart, webhooksPart } from './webhooks-part.js';

/** The guarantees of contract 20.10 and 22.4. */
const GUARANTEES = `<section id="guarantees"><h2>Guarantees</h2>
<dl class="guarantees">
<dt>At least once</dt><dd>Every event is delivered, also after a crash. A message may arrive more than once.</dd>
<dt>Stable ids</dt><dd>A repeated message has the same id: <code>ce_id</code> in topics, <code>webhook-id</code> in webhooks. Store the ids that you have processed, and ignore repeats.</dd>
<dt>Order per key</dt><dd>A topic has the messages of one pet, order or payment in the order of their events. Webhooks keep this order if the endpoint is <code>ordered</code>. Messages of different keys have no order.</dd>
<dt>Additive changes</dt><dd>New properties and new messages may appear: ignore those that you do not know. Nothing is removed or changed. A breaking change gets a new topic <code>v2</code> or a new event name, beside the old one.</dd>
<dt>No personal data</dt><dd>Topics contain no users and no payment details. An event about such data has a message without data.</dd>
</dl></section>`;

const SEQUENCE = `<section id="sequence"><h2>Sequence and gaps</h2>
<p><code>ce_sequence</code> numbers the messages of a key: 1, 2, 3, … Every event makes exactly one message. Store the last number of each key and compare:</p>
<table class="rows"><thead><tr><th scope="col">Next number</th><th scope="col">Meaning</th></tr></thead><tbody>
<tr><td>one more</td><td>the next message: process it</td></tr>
<tr><td>the same or less</td><td>a repeat: ignore it</td></tr>
<tr><td>greater</td><td>a gap: you started in the middle or missed messages. Read the topic from the beginning, or read the resource over the interface</td></tr>
</tbody></table></section>`;

const eventsHtml = (retryDelays: readonly number[], { namespace }: TopicSettings): string =>
  pageHtml({
    title: 'Events',
    section: '/docs/events',
    body: `<main class="wide-page events">
<div class="intro"><h1>Events</h1>
<p class="lead">A distributed store publishes every event to Kafka topics. Every store delivers webhooks to registered endpoints. <a href="/asyncapi.json">/asyncapi.json</a> has the same in AsyncAPI.</p></div>
${contentsHtml(namespace)}
<div class="parts">
${GUARANTEES}
${topicsPart(namespace)}
${SEQUENCE}
${webhooksPart(retryDelays)}
${callbacksPart()}
</div></main>`,
  });

/** Serves the page about the events that the store publishes. */
@Controller('docs/events')
export class EventsPageController {
  private readonly html: string;

  constructor(@Inject(RETRY_DELAYS) retryDelays: readonly number[], @Inject(TOPIC_SETTINGS) topics: TopicSettings) {
    this.html = eventsHtml(retryDelays, topics);
  }

  @Get()
  read(@Res() reply: FastifyReply): void {
    sendPage(reply, this.html);
  }
}
