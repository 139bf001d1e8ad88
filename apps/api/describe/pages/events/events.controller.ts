import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { RETRY_DELAYS, TOPIC_SETTINGS } from '../../../tokens.js';
import type { TopicSettings } from '../../asyncapi/topics.js';
import { pageHtml, sendPage } from '../page.js';
import { contentsHtml } from './contents.js';
import { topicsPart } from './topics-part.js';
import { callbacksPart, webhooksPart } from './webhooks-part.js';

/** The guarantees of contract 20.10, 22.4 and 22.5. */
const GUARANTEES = `<section id="guarantees"><h2>Guarantees</h2>
<dl class="guarantees">
<dt>At least once</dt><dd>Every event is delivered, even after a crash. A message may arrive more than once.</dd>
<dt>Stable ids</dt><dd>A repeated message has the same id: <code>ce_id</code> in topics, <code>webhook-id</code> in webhooks. Store the ids of the messages that you have processed, and ignore messages with these ids.</dd>
<dt>Order per key</dt><dd>The key of a message is usually the id of a pet, an order, a payment, an adoption application or an erased account. Topics have the messages of a key in the order of their events. Webhooks keep this order if the endpoint is <code>ordered</code>. The order of messages with different keys is not defined.</dd>
<dt>Additive changes</dt><dd>Properties and kinds of messages may be added: ignore those that you do not know. Existing ones are not removed or changed. For a breaking change, the service adds a topic with <code>v2</code> in its name, or a new event name. The old topic or event name remains.</dd>
<dt>No personal data</dt><dd>Topics contain no <code>userId</code> of an order and no payment details. If an event has only such data, the data of its message is an empty object. The message of an erased account has only the id of the account.</dd>
</dl></section>`;

/** How consumers detect gaps by `ce_sequence` (contract 22.2, 22.3). */
const SEQUENCE = `<section id="sequence"><h2>Sequence and gaps</h2>
<p><code>ce_sequence</code> numbers the messages of a key: 1, 2, 3, … Every event of a pet, an order, a payment or an adoption application has exactly one message. The topic of accounts is an exception: it has one message for each erased account, and the number of this message says nothing about gaps. For all other topics, store the number <var>n</var> of the last message that you have processed for each key, and compare it with the number of each new message:</p>
<table class="rows"><thead><tr><th scope="col">Number</th><th scope="col">Meaning</th></tr></thead><tbody>
<tr><td><var>n</var> + 1</td><td>This is the next message: process it.</td></tr>
<tr><td><var>n</var> or less</td><td>This is a repeated message: ignore it. If you also keep the numbers that are missing, one of them fills its gap.</td></tr>
<tr><td>more than <var>n</var> + 1</td><td>There is a gap: you did not start at the beginning of the topic, or you missed messages. Read the topic from the beginning, or read the resource with an HTTP request.</td></tr>
</tbody></table></section>`;

const eventsHtml = (retryDelays: readonly number[], { namespace }: TopicSettings): string =>
  pageHtml({
    title: 'Events',
    section: '/docs/events',
    body: `<main class="page with-contents events">
<div class="intro"><h1>Events</h1>
<p class="lead">The service delivers webhooks to registered endpoints. In the distributed profile, it also publishes to Kafka topics: every event of pets, orders, payments and adoption applications, the erasure of accounts, and the signed checkpoints of the log. <a href="/asyncapi.json">/asyncapi.json</a> describes the messages in AsyncAPI, for programs.</p></div>
${contentsHtml(namespace)}
<div class="parts">
${GUARANTEES}
${topicsPart(namespace)}
${SEQUENCE}
${webhooksPart(retryDelays)}
${callbacksPart()}
</div></main>`,
  });

/** Serves the page about topics, webhooks and callbacks. */
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
