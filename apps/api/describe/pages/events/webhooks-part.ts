import { exampleOf } from '../../../../../libs/contracts/message-schema.js';
import { ORDER_CALLBACK_EXAMPLES, ORDER_CALLBACK_SCHEMA } from '../../../../../libs/contracts/order-callback.js';
import { CALLBACK_HEADERS, WEBHOOK_HEADERS } from '../../../../../libs/contracts/signed-headers.js';
import { webhookContracts } from '../../../../../libs/contracts/webhooks.js';
import { copyableHtml } from '../page.js';
import { panelHtml } from './panel.js';
import { schemaTable } from './schema-table.js';

const VERIFY_IN_TYPESCRIPT = `import { Webhook } from 'standardwebhooks';

// Use the raw body. The signature does not match a body that was parsed and serialized again.
// Throws if the signature is invalid or the timestamp is too old.
const event = new Webhook(secret).verify(body, headers);
if (await isProcessed(headers['webhook-id'])) return; // a repeated message: respond with 204`;

const VERIFY_IN_PYTHON = `from standardwebhooks import Webhook

# Raises an exception if the signature is invalid or the timestamp is too old.
event = Webhook(secret).verify(body, headers)`;

const REGISTER = `curl -s $STORE/v1/webhooks \\
  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"url": "https://shop.example.com/hooks", "ordered": true,
       "events": ["order.statusChanged", "payment.succeeded"]}'`;

/** Units of time with their milliseconds, the largest first. */
const UNITS = [
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** Formats a duration in the largest unit that fits, such as `5 min`. */
const formatDuration = (milliseconds: number): string => {
  const [unit, size] = UNITS.find(([, each]) => milliseconds >= each) ?? ['s', 1_000];
  return `${milliseconds / size} ${unit}`;
};

/**
 * Describes the attempts of a delivery: `3 attempts: the first at once, the others after further delays of 5 s, 5 min`. Each
 * delay is the time before an attempt, in milliseconds.
 */
const describeAttempts = ([first = 0, ...others]: readonly number[]): string => {
  const start = first === 0 ? 'at once' : `after ${formatDuration(first)}`;
  if (others.length === 0) return `1 attempt: ${start}`;
  return `${others.length + 1} attempts: the first ${start}, the others after further delays of ${others.map(formatDuration).join(', ')}`;
};

/** The HTML id of the panel of the order callback. */
export const ORDER_CALLBACK_ID = 'order-callback';

/** Creates the part of the page about webhooks. */
export const webhooksPart = (retryDelays: readonly number[]): string => `<section id="webhooks"><h2>Webhooks</h2>
<p>A webhook endpoint is a URL of your application. In both profiles, the service posts the events that the endpoint subscribes to. To register an endpoint, use a token with scope <code>write:webhooks</code>. Only the response to the registration shows the secret of the endpoint, <code>whsec_…</code>.</p>
${copyableHtml(REGISTER)}
<p>With <code>ordered</code>, the events of one pet, order or payment arrive in order, one at a time. <a href="/docs#/Webhooks">The interface</a> has the other operations: send a test, read the delivery log, redeliver, rotate the secret.</p>
<h3 id="events">Events</h3>
${webhookContracts.map(({ eventType, summary, schema }) => panelHtml({ name: eventType, summary, schema, examples: [exampleOf(schema)] })).join('\n')}
<h3 id="webhook-headers">Headers</h3>
${schemaTable(WEBHOOK_HEADERS)}
<h3 id="verify">Verify a signature</h3>
<p>Messages are signed according to <a href="https://www.standardwebhooks.com/" rel="noreferrer">Standard Webhooks 1.0</a>. The signature covers <code>id.timestamp.body</code>, with the raw bytes of the body. Use a library if there is one for your language.</p>
${copyableHtml(VERIFY_IN_TYPESCRIPT)}
${copyableHtml(VERIFY_IN_PYTHON)}
<p>Without a library, do this:</p>
<ol>
<li>Decode the base64 after <code>whsec_</code>. The result is the key of an HMAC-SHA256.</li>
<li>Compute the HMAC of <code>webhook-id</code>, a dot, <code>webhook-timestamp</code>, a dot and the body.</li>
<li>Encode the HMAC in base64. Compare the result, in constant time, with each value after <code>v1,</code> in <code>webhook-signature</code>.</li>
<li>Reject a timestamp that differs by more than five minutes from your clock.</li>
</ol>
<p><code>examples/receiver/receiver.ts</code> in the repository is a complete receiver: it verifies signatures, ignores repeated messages and responds at once. <code>petstore listen</code> forwards events to a receiver on your machine.</p>
<h3 id="attempts">Attempts</h3>
<p>Any 2xx response acknowledges a delivery. A delivery has ${describeAttempts(retryDelays)}. The service adds a random time to each delay, at most a tenth of the delay.</p>
<p>The service waits longer if <code>Retry-After</code> in the response requests it. It does not follow redirects. If no attempt is acknowledged, the delivery is parked, and can be redelivered. The service disables an endpoint that responds with 410, or for which every attempt has failed for five days.</p></section>`;

/** Creates the part of the page about order callbacks. */
export const callbacksPart = (): string => `<section id="callbacks"><h2>Callbacks</h2>
<p>A client that sends <code>POST /v1/orders/{id}</code> gets the status of the order at the <code>callbackUrl</code> of its request. A callback is delivered like a webhook. It is signed with the Ed25519 key of the service, not with a secret: <a href="/v1/webhooks/public-key"><code>/v1/webhooks/public-key</code></a> has the public key.</p>
${panelHtml({
  name: 'Order callback',
  id: ORDER_CALLBACK_ID,
  summary: 'The status of the order.',
  schema: ORDER_CALLBACK_SCHEMA,
  examples: Object.values(ORDER_CALLBACK_EXAMPLES),
})}
<h3 id="callback-headers">Headers</h3>
${schemaTable(CALLBACK_HEADERS)}</section>`;
