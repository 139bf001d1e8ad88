/**
 * Receives webhooks at /hook and order callbacks at /callback. It verifies the bytes of each request, stores each
 * message once, answers at once, and handles the message afterwards.
 *
 *     WEBHOOK_SECRET=whsec_… npm run example:receiver
 *
 * PORT (4000) is the port to listen on. INBOX (:memory:) is the file that stores messages across restarts.
 * STORE_URL (http://127.0.0.1:3000) is the service, which publishes the public key for callbacks.
 */
import { createPublicKey, verify, type JsonWebKey, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

const { WEBHOOK_SECRET = '', PORT = '4000', INBOX = ':memory:', STORE_URL = 'http://127.0.0.1:3000' } = process.env;

const fail = (message: string): never => {
  console.error(message);
  process.exit(2);
};

/** Returns whether the text is a complete secret. With a truncated secret, every message would be rejected. */
const isSecret = (text: string): boolean => {
  const bytes = Buffer.from(text.slice('whsec_'.length), 'base64');
  return bytes.length >= 24 && text === `whsec_${bytes.toString('base64')}`;
};

if (!isSecret(WEBHOOK_SECRET)) {
  const fault = WEBHOOK_SECRET === '' ? 'missing' : 'not a secret';
  fail(`WEBHOOK_SECRET is ${fault}: set it to the whole secret that was shown at the registration; it begins with whsec_`);
}
if (!/^\d{1,5}$/.test(PORT) || Number(PORT) > 65_535) fail(`PORT is ${JSON.stringify(PORT)}: expected a number from 0 to 65535`);
if (!/^https?:\/\//i.test(STORE_URL) || !URL.canParse(STORE_URL))
  fail(`STORE_URL is ${JSON.stringify(STORE_URL)}: expected an http or https URL, for example http://127.0.0.1:3000`);

type Headers = Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>>;

const webhook = new Webhook(WEBHOOK_SECRET);

/** Throws if the signature is wrong, or if the message is older than five minutes: an attacker may have recorded it. */
const verifyWebhook = (body: Buffer, headers: Headers): void => void webhook.verify(body, headers);

const TOLERATED_SECONDS = 5 * 60;
let publicKey: KeyObject | undefined;

/**
 * Verifies a callback like a webhook, but with a public key. The service signs callbacks with its own private key
 * (Ed25519, `v1a`), because it shares no secret with the client that requested the callback.
 */
const verifyCallback = async (body: Buffer, headers: Headers): Promise<void> => {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERATED_SECONDS))
    throw new WebhookVerificationError('Message timestamp too old');
  const key = (publicKey ??= await readPublicKey());
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  const isSigned = signatures
    .split(' ')
    .some((signature) => signature.startsWith('v1a,') && verify(null, signed, key, Buffer.from(signature.slice('v1a,'.length), 'base64')));
  if (!isSigned) throw new WebhookVerificationError('No matching signature found');
};

/** Thrown if the public key cannot be read. The response to the callback is 500, so the service retries it. */
class KeyUnavailable extends Error {}

const readPublicKey = async (): Promise<KeyObject> => {
  const url = `${STORE_URL.replace(/\/+$/, '')}/v1/webhooks/public-key`;
  try {
    const { jwk } = (await (await fetch(url)).json()) as { readonly jwk: JsonWebKey };
    return createPublicKey({ key: jwk, format: 'jwk' });
  } catch (error) {
    throw new KeyUnavailable(`callbacks cannot be verified: ${url} returns no key; set STORE_URL to the address of the running service`, {
      cause: error,
    });
  }
};

const openInbox = (): DatabaseSync => {
  try {
    const database = new DatabaseSync(INBOX);
    database.exec('CREATE TABLE IF NOT EXISTS inbox (id TEXT PRIMARY KEY, body TEXT NOT NULL, handled INTEGER NOT NULL DEFAULT 0) STRICT');
    return database;
  } catch (error) {
    return fail(`INBOX is ${JSON.stringify(INBOX)}, which cannot be used: ${error instanceof Error ? error.message : String(error)}`);
  }
};

/** The received messages by id. A message is stored before the response 204, and its id identifies a duplicate. */
const inbox = openInbox();
const keep = inbox.prepare('INSERT OR IGNORE INTO inbox (id, body) VALUES (?, ?)');
const unhandled = inbox.prepare('SELECT id, body FROM inbox WHERE handled = 0 ORDER BY rowid');
const markHandled = inbox.prepare('UPDATE inbox SET handled = 1 WHERE id = ?');

/** Handles a message. Put your work here. If the process ends during it, the next start repeats it. */
const handle = (id: string, message: { readonly eventType?: string; readonly status?: string }): void => {
  console.log(`handled ${message.eventType ?? `callback ${message.status}`} ${id}`);
};

const handleAll = (): void => {
  for (const { id, body } of unhandled.all() as { id: string; body: string }[]) {
    handle(id, JSON.parse(body) as Parameters<typeof handle>[1]);
    markHandled.run(id);
  }
};

/** Bytes. The messages of the service are much smaller. */
const LARGEST_BODY = 1_048_576;

/** Returns the bytes of the body, which the signature covers. Returns null if the body is too large. */
const bytesOf = async (request: IncomingMessage): Promise<Buffer | null> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= LARGEST_BODY) chunks.push(chunk);
  }
  return size > LARGEST_BODY ? null : Buffer.concat(chunks);
};

/** Returns the headers of the signature. A missing header becomes empty, which is never valid. */
const signedHeadersOf = ({ headers }: IncomingMessage): Headers => ({
  'webhook-id': String(headers['webhook-id'] ?? ''),
  'webhook-timestamp': String(headers['webhook-timestamp'] ?? ''),
  'webhook-signature': String(headers['webhook-signature'] ?? ''),
});

/** Returns the status of the response. 2xx acknowledges the message. After any other status, the service retries. */
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
    console.log(`rejected: ${error.message}`);
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
      console.error(error instanceof KeyUnavailable ? error.message : error);
      response.writeHead(500).end();
    },
  );
});

server.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EADDRINUSE') fail(`port ${PORT} is in use: choose another, for example PORT=4001`);
  if (error.code === 'EACCES') fail(`port ${PORT} needs a privileged user: choose one above 1023, for example PORT=4000`);
  throw error;
});
handleAll();
server.listen(Number(PORT), '127.0.0.1', () => {
  const address = server.address();
  console.log(`The receiver listens at http://127.0.0.1:${typeof address === 'object' ? address?.port : PORT}/hook`);
  console.log(`The key that signs callbacks comes from STORE_URL, ${STORE_URL}`);
});
