import { DEFAULTS } from '../../../../../libs/settings/settings.js';
import { exampleOf, type JsonSchema } from '../../../../../libs/contracts/message-schema.js';
import { ORDER_CALLBACK_EXAMPLES, ORDER_CALLBACK_SCHEMA } from '../../../../../libs/contracts/order-callback.js';
import { CALLBACK_HEADERS, WEBHOOK_HEADERS } from '../../../../../libs/contracts/signed-headers.js';
import { webhookContracts } from '../../../../../libs/contracts/webhooks.js';
import { escapeHtml } from '../page.js';
import { jsonHtml, schemaTable, wordsHtml } from './schema-table.js';

const VERIFY_IN_TYPESCRIPT = `import { Webhook } from 'standardwebhooks';

// The body as it came, byte for byte: parsed and written again it would no longer match.
// Throws unless it is genuine and recent.
const event = new Webhook(secret).verify(body, headers);
if (await seen(headers['webhook-id'])) return; // a repeat: answer 204 and do nothing`;

const VERIFY_IN_PYTHON = `from standardwebhooks import Webhook

event = Webhook(secret).verify(body, headers)  # raises unless it is genuine and recent`;

const REGISTER = `curl -s $STORE/v1/webhooks \\
  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"url": "https://shop.example.com/hooks", "ordered": true,
       "events": ["order.statusChanged", "payment.succeeded"]}'`;

const UNITS = [
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** Milliseconds in the largest unit that they are whole in. */
const duration = (milliseconds: number): string => {
  const [unit, size] = UNITS.find(([, each]) => milliseconds >= each) ?? ['s', 1_000];
  return `${milliseconds / size} ${unit}`;
};

/** Webhooks and callbacks, for those who receive them. */
export const webhooksPart = (): string => `<section id="webhooks"><h2>Webhooks</h2>
<p>An endpoint of yours is told what it asked for, with any store. Register it with scope <code>write:webhooks</code>; the answer shows its secret, <code>whsec_…</code>, once.</p>
<pre><code>${escapeHtml(REGISTER)}</code></pre>
<p>With <code>ordered</code> what happens to one pet, order or payment arrives in its order, one message at a time. <a href="/docs">The interface</a> has the rest: tests, the log of deliveries, sending one or a stretch of time once more, another secret.</p>
<h3 id="events">Events</h3>
${webhookContracts.map(({ eventType, summary, schema }) => messagePart(eventType, summary, schema, [exampleOf(schema)])).join('\n')}
<h3 id="webhook-headers">Headers</h3>
${schemaTable(WEBHOOK_HEADERS)}
<h3 id="verify">Verify a signature</h3>
<p>Messages are signed as <a href="https://www.standardwebhooks.com/" rel="noreferrer">Standard Webhooks 1.0</a> says: over <code>id.timestamp.body</code>, the body byte for byte as it came. Use a library where there is one.</p>
<pre><code>${escapeHtml(VERIFY_IN_TYPESCRIPT)}</code></pre>
<pre><code>${escapeHtml(VERIFY_IN_PYTHON)}</code></pre>
<p>By hand: take the base64 behind <code>whsec_</code> as the key of an HMAC-SHA256 over <code>webhook-id</code>, a dot, <code>webhook-timestamp</code>, a dot and the body; compare its base64, in constant time, with what stands behind each <code>v1,</code>; refuse a timestamp that is more than five minutes off.</p>
<p>A whole receiver, which verifies, drops repeats and answers at once, stands in the repository: <code>examples/receiver/receiver.ts</code>. <code>petstore listen</code> brings events to it on your machine.</p>
<h3 id="attempts">Attempts</h3>
<p>Any 2xx acknowledges. Else it is tried again, ${DEFAULTS.webhookRetryDelays.length} times in all: at once, then after ${DEFAULTS.webhookRetryDelays.slice(1).map(duration).join(', ')}, each up to a tenth later; <code>Retry-After</code> is honoured, redirects are not followed. What was never acknowledged is parked, not lost: it can be sent again. A 410, or five days of nothing but failures at one address, disables the endpoint.</p>
<h3 id="callbacks">Callbacks</h3>
<p>A client that sends <code>POST /v1/orders/{id}</code> gets a callback with the order’s status at the address it gave, delivered in the same way and signed with the service’s own Ed25519 key instead of a secret: <a href="/v1/webhooks/public-key"><code>/v1/webhooks/public-key</code></a> has its public half.</p>
${messagePart('order callback', 'The status of the order.', ORDER_CALLBACK_SCHEMA, Object.values(ORDER_CALLBACK_EXAMPLES))}
${schemaTable(CALLBACK_HEADERS)}</section>`;

const messagePart = (name: string, summary: string, schema: JsonSchema, examples: readonly unknown[]): string =>
  `<details class="message" id="${name.replaceAll(' ', '-')}"><summary><code>${escapeHtml(name)}</code><span>${wordsHtml(summary)}</span></summary>
${schemaTable(schema)}
${examples.map(jsonHtml).join('\n')}</details>`;
