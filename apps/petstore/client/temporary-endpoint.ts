import { hostname } from 'node:os';
import { isLoopback } from '../../../libs/settings/address-values.js';
import type { SubscribableEvent } from '../../../libs/domain/webhooks/webhook.events.js';
import type { RegisteredWebhook, Webhook, WebhookCollection } from '../../api/webhooks/webhook.dto.js';
import { CommandError } from '../errors/command-error.js';
import { ErrorAnswer, type StoreClient } from './store-client.js';

/** What a command asks of its endpoint. */
type TemporaryEndpointOptions = {
  readonly command: 'listen' | 'replay';
  /** The address as the caller wrote it. */
  readonly to: string;
  readonly events: readonly SubscribableEvent[];
  readonly ordered: boolean;
};

/** Registers an endpoint, does the work with it, and removes it, whatever comes of the work. */
export const withTemporaryEndpoint = async <T>(
  store: StoreClient,
  terms: TemporaryEndpointOptions,
  work: (endpoint: RegisteredWebhook) => Promise<T>,
): Promise<T> => {
  await removeOrphans(store);
  await warnOfOtherSecrets(store, terms.to);
  const endpoint = await register(store, terms);
  try {
    return await work(endpoint);
  } finally {
    await removeOrReport(store, endpoint.id);
  }
};

/** The endpoints that are told of events at this address, newest first. */
export const listEndpointsAt = async (store: StoreClient, to: string): Promise<readonly Webhook[]> =>
  (await listWebhooks(store)).filter(({ url, status }) => withoutFragment(url) === to && status === 'enabled');

/** Every endpoint of the store, newest first. */
const listWebhooks = async (store: StoreClient): Promise<readonly Webhook[]> =>
  // There are 50 in a tenant at most.
  (await store.request<WebhookCollection>('GET', '/v1/webhooks?limit=100')).json.data;

/** A receiver that knows one secret refuses what is signed with another, and is sent it again for days. */
const warnOfOtherSecrets = async (store: StoreClient, to: string): Promise<void> => {
  for (const { id } of await listEndpointsAt(store, to))
    process.stderr.write(
      `Endpoint ${id} is registered for ${to} already, and signs with a secret of its own: a receiver that takes one secret refuses the other’s.\n` +
        `If nobody needs it any more: DELETE ${store.url}/v1/webhooks/${id}\n`,
    );
};

/** The address that is posted to: what stands behind `#` is never sent. */
const withoutFragment = (url: string): string => {
  const address = new URL(url);
  address.hash = '';
  return address.href;
};

/** Reads an address that events are to be sent to; whether the store may send there, it says itself. */
export const parseAddress = (option: string, text: string): string => {
  if (/^[\w.-]+:\d+(\/|$)/.test(text)) throw new CommandError(`${option} ${text} has no scheme; try http://${text}`);
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new CommandError(`${option}: ${text} is no address. Write one as http://127.0.0.1:4000/hook`);
  return withoutFragment(text);
};

const register = async (store: StoreClient, { command, to, events, ordered }: TemporaryEndpointOptions): Promise<RegisteredWebhook> => {
  const body = { url: addMark(to, command), events, ordered };
  try {
    return (await store.request<RegisteredWebhook>('POST', '/v1/webhooks', body)).json;
  } catch (error) {
    const isForbidden = error instanceof ErrorAnswer && error.problem.errors?.some(({ code }) => code === 'forbidden_address');
    throw isForbidden ? forbiddenAddress(to, error) : error;
  }
};

const forbiddenAddress = (to: string, { problem }: ErrorAnswer): CommandError =>
  new CommandError(
    `the store does not send to ${to}: ${problem.detail}\n` +
      (isLoopbackAddress(to)
        ? 'To let it reach its own machine, start it with EGRESS_ALLOW=loopback; otherwise give an address on the public Internet.'
        : 'No setting lets a store send there: EGRESS_ALLOW=loopback opens the addresses of its own machine, and no other’s.'),
  );

/** Whether it stands for the machine that the store runs on. */
const isLoopbackAddress = (to: string): boolean => {
  const encodeHostname = new URL(to).hostname.replace(/^\[|\]$/g, '');
  return isLoopback(encodeHostname) || encodeHostname.endsWith('.localhost');
};

/** Tells the endpoints of these commands from all others, and whose they are: a receiver sees nothing of it. */
const addMark = (to: string, command: string): string => `${withoutFragment(to)}#petstore-${command}-${process.pid}@${host()}`;
const MARK = /#petstore-(?:listen|replay)-(\d+)@(.*)$/;
const host = (): string => encodeURIComponent(hostname());

/** One that was killed could not remove its endpoint. Only those are removed that a process of this machine made which is no more. */
const removeOrphans = async (store: StoreClient): Promise<void> => {
  for (const { id, url } of await listWebhooks(store)) {
    const [, pid, madeOn] = MARK.exec(url) ?? [];
    if (pid === undefined || madeOn !== host() || isAlive(Number(pid))) continue;
    await remove(store, id);
    process.stderr.write(`Removed endpoint ${id}, which a process that was killed had left behind.\n`);
  }
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process is alive, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

const remove = async (store: StoreClient, id: string): Promise<void> => {
  try {
    await store.request('DELETE', `/v1/webhooks/${id}`);
  } catch (error) {
    // It is gone already: somebody was faster.
    if (!(error instanceof ErrorAnswer && error.status === 404)) throw error;
  }
};

const removeOrReport = async (store: StoreClient, id: string): Promise<void> => {
  try {
    await remove(store, id);
    process.stderr.write(`Endpoint ${id} is removed.\n`);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    process.exitCode = 1;
    process.stderr.write(
      `Endpoint ${id} is left behind: ${error.message}\nThe next listen or replay on this machine removes it, or do it by DELETE ${store.url}/v1/webhooks/${id}\n`,
    );
  }
};
