import { hostname } from 'node:os';
import { isLoopback } from '../../../libs/settings/address-values.js';
import type { SubscribableEvent } from '../../../libs/domain/webhooks/webhook.events.js';
import type { RegisteredWebhook, Webhook, WebhookCollection } from '../../api/webhooks/webhook.dto.js';
import { CommandError } from '../errors/command-error.js';
import { parseAddress } from './address.js';
import { ErrorResponse, type ServiceClient } from './service-client.js';

/** The endpoint to register. */
type TemporaryEndpointOptions = {
  readonly command: 'listen' | 'replay';
  /** The address of the receiver. */
  readonly to: string;
  readonly events: readonly SubscribableEvent[];
  readonly ordered: boolean;
};

/** Registers an endpoint, runs `work` with it, and removes the endpoint, even when `work` rejects. */
export const withTemporaryEndpoint = async <T>(
  service: ServiceClient,
  options: TemporaryEndpointOptions,
  work: (endpoint: RegisteredWebhook) => Promise<T>,
): Promise<T> => {
  await removeEndpointsOfKilledCommands(service);
  await warnOfOtherEndpoints(service, options.to);
  const endpoint = await register(service, options);
  try {
    return await work(endpoint);
  } finally {
    await removeOrReport(service, endpoint.id);
  }
};

/** Returns the enabled endpoints at this address, newest first. */
export const listEndpointsAt = async (service: ServiceClient, to: string): Promise<readonly Webhook[]> =>
  (await listWebhooks(service)).filter(({ url, status }) => withoutFragment(url) === to && status === 'enabled');

/** Returns every endpoint of the tenant, newest first. */
const listWebhooks = async (service: ServiceClient): Promise<readonly Webhook[]> =>
  // A tenant has at most 50 endpoints, so one page contains them all.
  (await service.request<WebhookCollection>('GET', '/v1/webhooks?limit=100')).json.data;

/**
 * Warns of other endpoints at the same address, because each event arrives there more than once. If their deliveries are signed
 * with other secrets, a receiver that accepts only one secret would reject them.
 */
const warnOfOtherEndpoints = async (service: ServiceClient, to: string): Promise<void> => {
  for (const { id, secretName } of await listEndpointsAt(service, to)) {
    const consequence =
      secretName === secretNameOf(to)
        ? 'with the same secret. Each event arrives once for each endpoint.'
        : 'with another secret. A receiver that accepts only one secret rejects requests signed with the other.';
    process.stderr.write(
      `Endpoint ${id} is registered for ${to} ${consequence}\nTo remove that endpoint: DELETE ${service.url}/v1/webhooks/${id}\n`,
    );
  }
};

/** Returns the address without its fragment (`#…`), which no request contains. */
const withoutFragment = (url: string): string => {
  const address = new URL(url);
  address.hash = '';
  return address.href;
};

/** Parses the address of a receiver. The service decides later whether it may send requests to this address. */
export const parseReceiver = (option: string, text: string): string =>
  withoutFragment(parseAddress(option, text, 'http://127.0.0.1:4000/hook'));

/**
 * Returns the name of the secrets of temporary endpoints at an address. They all have the same secret, so a receiver need not get
 * another secret after each restart of the command. Addresses that differ only after the limit of a name have one secret.
 */
const secretNameOf = (to: string): string => `petstore ${to}`.slice(0, 500);

const register = async (service: ServiceClient, { command, to, events, ordered }: TemporaryEndpointOptions): Promise<RegisteredWebhook> => {
  const body = { url: markUrl(to, command), events, ordered, secretName: secretNameOf(to) };
  try {
    return (await service.request<RegisteredWebhook>('POST', '/v1/webhooks', body)).json;
  } catch (error) {
    const isForbidden = error instanceof ErrorResponse && error.problem.errors?.some(({ code }) => code === 'forbidden_address');
    throw isForbidden ? forbiddenAddress(to, error) : error;
  }
};

const forbiddenAddress = (to: string, { problem }: ErrorResponse): CommandError =>
  new CommandError(
    `the service does not send to ${to}: ${problem.detail}\n` +
      (isLoopbackAddress(to)
        ? "Start the service with EGRESS_ALLOW=loopback to allow its own machine's addresses, or pass an address on the public Internet."
        : "Pass an address on the public Internet. No setting allows this one: EGRESS_ALLOW=loopback allows only the service's own machine."),
  );

/** Returns whether the host of an address is this machine. */
const isLoopbackAddress = (to: string): boolean => {
  const host = new URL(to).hostname.replace(/^\[|\]$/g, '');
  return isLoopback(host) || host.endsWith('.localhost');
};

/**
 * Adds a fragment to the URL of an endpoint. The fragment names the command, the process and the machine, so that a later
 * command can find the endpoints of killed commands. Receivers do not see the fragment, because requests do not contain it.
 */
const markUrl = (to: string, command: string): string => `${withoutFragment(to)}#petstore-${command}-${process.pid}@${encodeHostname()}`;
const MARK = /#petstore-(?:listen|replay)-(\d+)@(.*)$/;
const encodeHostname = (): string => encodeURIComponent(hostname());

/**
 * Removes the endpoints of killed commands. The URL of such an endpoint names this machine and a process that no longer runs.
 */
const removeEndpointsOfKilledCommands = async (service: ServiceClient): Promise<void> => {
  for (const { id, url } of await listWebhooks(service)) {
    const [, pid, madeOn] = MARK.exec(url) ?? [];
    if (pid === undefined || madeOn !== encodeHostname() || isAlive(Number(pid))) continue;
    await remove(service, id);
    process.stderr.write(`Removed endpoint ${id}, which a killed process left behind.\n`);
  }
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process runs and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

const remove = async (service: ServiceClient, id: string): Promise<void> => {
  try {
    await service.request('DELETE', `/v1/webhooks/${id}`);
  } catch (error) {
    // 404: another client has removed the endpoint.
    if (!(error instanceof ErrorResponse && error.status === 404)) throw error;
  }
};

const removeOrReport = async (service: ServiceClient, id: string): Promise<void> => {
  try {
    await remove(service, id);
    process.stderr.write(`Endpoint ${id} is removed.\n`);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    process.exitCode = 1;
    process.stderr.write(
      `Endpoint ${id} is left behind: ${error.message}\n` +
        `The next listen or replay on this machine removes it. To remove it now: DELETE ${service.url}/v1/webhooks/${id}\n`,
    );
  }
};
