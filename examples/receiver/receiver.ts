/**
 * Receives what the store tells: webhooks at /hook, order callbacks at /callback. Verifies every request over the bytes as
 * they came, keeps each message once, answers at once, and handles it afterwards.
 *
 *     WEBHOOK_SECRET=whsec_… npm run example:receiver
 *
 * PORT (4000) is where it listens, INBOX (:memory:) the file that keeps its messages over a restart, STORE_URL
 * (http://127.0.0.1:3000) where the key is published that callbacks are signed with.
 */
import { createPublicKey, verify, type JsonWebKey, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

const { WEBHOOK_SECRET = '', PORT = '4000', INBOX = ':memory:', STORE_URL = 'http://127.0.0.1:3000' } = process.env;

const refuse = (why: string): never => {
  console.error(why);
  process.exit(2);
};

/** One that was cut off on its way here would refuse everything. */
const isSecret = (text: string): boolean => {
  const bytes = Buffer.from(text.slice('whsec_'.length), 'base64');
  return bytes.length >= 24 && text === `whsec_${bytes.toString('base64')}`;
};

if (!isSecret(WEBHOOK_SECRET)) {
  const fault = WEBHOOK_SECRET === '' ? 'missing' : 'no secret';
  refuse(`WEBHOOK_SECRET is ${fault}: give all that was shown, once, when the endpoint was registered; it begins with whsec_`);
}

type Headers = Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>>;

const webhook = new Webhook(WEBHOOK_SECRET);

/** Throws unless the message is genuine and recent: one that was caught on its way is of no use five minutes later. */
const verifyWebhook = (body: Buffer, headers: Headers): void => void webhook.verify(body, headers);

const TOLERATED_SECONDS = 5 * 60;
let storeKey: KeyObject | undefined;

/** The same for a callback, which the store signs with its own key (Ed25519, `v1a`): the client that requested it shares no secret with the store. */
const verifyCallback = async (body: Buffer, headers: Headers): Promise<void> => {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERATED_SECONDS))
    throw new WebhookVerificationError('Message timestamp too old');
  const key = (storeKey ??= await publishedKey());
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  const isSigned = signatures
    .split(' ')
    .some((signature) => signature.startsWith('v1a,') && verify(null, signed, key, Buffer.from(signature.slice('v1a,'.length), 'base64')));
  if (!isSigned) throw new WebhookVerificationError('No matching signature found');
};

const publishedKey = async (): Promise<KeyObject> => {
  const answer = await fetch(`${STORE_URL}/v1/webhooks/public-key`);
  const { jwk } = (await answer.json()) as { readonly jwk: JsonWebKey };
  return createPublicKey({ key: jwk, format: 'jwk' });
};

/** What was answered with 204 is never lost, and what comes again is known by its id: both need the one table. */
const inbox = new DatabaseSync(INBOX);
inbox.exec('CREATE TABLE IF NOT EXISTS inbox (id TEXT PRIMARY KEY, body TEXT NOT NULL, handled INTEGER NOT NULL DEFAULT 0) STRICT');
const keep = inbox.prepare('INSERT OR IGNORE INTO inbox (id, body) VALUES (?, ?)');
const unhandled = inbox.prepare('SELECT id, body FROM inbox WHERE handled = 0 ORDER BY rowid');
const markHandled = inbox.prepare('UPDATE inbox SET handled = 1 WHERE id = ?');

/** Your work goes here. Should the process die in the middle of it, it is done again at the next start. */
const handle = (id: string, message: { readonly eventType?: string; readonly status?: string }): void => {
  console.log(`handled ${message.eventType ?? `callback ${message.status}`} ${id}`);
};

const handleAll = (): void => {
  for (const { id, body } of unhandled.all() as { id: string; body: string }[]) {
    handle(id, JSON.parse(body) as Parameters<typeof handle>[1]);
    markHandled.run(id);
  }
};

/** Many times what the store sends: a sender of more is not the store. */
const LARGEST_BODY = 1_048_576;

/** The body byte for byte, or null when it is too large: parsed and written again it would no longer be what was signed. */
const bytesOf = async (request: IncomingMessage): Promise<Buffer | null> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= LARGEST_BODY) chunks.push(chunk);
  }
  return size > LARGEST_BODY ? null : Buffer.concat(chunks);
};

/** What a signature is made of; empty where it is missing, which nothing is signed with. */
const signedHeadersOf = ({ headers }: IncomingMessage): Headers => ({
  'webhook-id': String(headers['webhook-id'] ?? ''),
  'webhook-timestamp': String(headers['webhook-timestamp'] ?? ''),
  'webhook-signature': String(headers['webhook-signature'] ?? ''),
});

/** Answers the status: 2xx says "I have it", anything else "send it again". */
const receive = async (request: IncomingMessage): Promise<number> => {
  const verifies = { '/hook': verifyWebhook, '/callback': verifyCallback }[request.url ?? ''];
  if (!verifies || request.method !== 'POST') return 404;
  const body = await bytesOf(request);
  if (!body) return 413;
  const headers = signedHeadersOf(request);
  try {
    await verifies(body, headers);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    console.log(`refused: ${error.message}`);
    return 401;
  }
  const id = headers['webhook-id'];
  const isNew = keep.run(id, body.toString()).changes > 0;
  console.log(`${isNew ? 'verified' : 'duplicate'} ${id}`);
  if (isNew) setImmediate(handleAll);
  return 204;
};

const server = createServer((request, response) => {
  receive(request).then(
    (status) => response.writeHead(status).end(),
    (error: unknown) => {
      console.error(error);
      response.writeHead(500).end();
    },
  );
});

server.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EADDRINUSE') throw error;
  refuse(`port ${PORT} is taken: choose another, as PORT=4001`);
});
handleAll();
server.listen(Number(PORT), '127.0.0.1', () => {
  const address = server.address();
  console.log(`The receiver listens at http://127.0.0.1:${typeof address === 'object' ? address?.port : PORT}/hook`);
});
