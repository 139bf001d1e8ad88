import type { FastifyReply } from 'fastify';
import { pageHtml, sendPage } from './page.js';

const NOT_FOUND_HTML = pageHtml({
  title: 'Not found',
  body: `<main class="page"><p class="crumbs"><span class="status">404</span></p>
<h1>Not found</h1>
<p class="lead">There is no page at this address.</p>
<ul class="links">
<li><a href="/">Start</a><small>What this service is, and a first request</small></li>
<li><a href="/docs">Interface</a><small>Every operation under <code>/v1</code></small></li>
<li><a href="/docs/events">Events</a><small>Topics, webhooks and callbacks</small></li>
<li><a href="/errors/not-found">Not found</a><small>The cause and the remedy of this error</small></li>
</ul></main>`,
});

/** Sends the 404 page to a browser. */
export const sendNotFoundPage = (reply: FastifyReply): void => sendPage(reply, NOT_FOUND_HTML, { status: 404, cacheControl: 'no-store' });
