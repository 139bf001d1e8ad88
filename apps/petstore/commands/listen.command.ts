import type { Settings } from '../../../libs/settings/settings.js';
import { SUBSCRIBABLE_EVENTS } from '../../../libs/domain/webhooks/webhook.events.js';
import type { RegisteredWebhook } from '../../api/webhooks/webhook.dto.js';
import { DeliveryLines } from '../client/delivery-lines.js';
import { parseEventNames } from '../client/event-names.js';
import { isRetryable, connectClient, ErrorResponse, type ServiceClient, type ServiceOptions } from '../client/service-client.js';
import { parseReceiver, withTemporaryEndpoint } from '../client/temporary-endpoint.js';
import { abortOnSignal } from '../client/abort-on-signal.js';
import { CommandError } from '../errors/command-error.js';
import { pause } from '../terminal/pause.js';

/** The options of `petstore listen`. */
export type ListenOptions = ServiceOptions & { readonly forwardTo: string; readonly events?: string; readonly ordered?: boolean };

/** The subject and scopes of the command's token. The scope `ops` exempts the command from the rate limit (contract 11.2). */
const LISTENER = { subject: 'listen', scope: 'write:webhooks ops' };
/** Milliseconds between two reads of the endpoint's deliveries. */
const POLL_INTERVAL = 300;

/**
 * Registers a temporary endpoint for an address, and prints each attempt of the service to deliver an event there. Runs
 * until SIGINT or SIGTERM, and then removes the endpoint.
 */
export const listenCommand = async (settings: Settings, options: ListenOptions): Promise<void> => {
  const to = parseReceiver('--forward-to', options.forwardTo);
  const events = options.events === undefined ? SUBSCRIBABLE_EVENTS : parseEventNames(options.events);
  const service = await connectClient(settings, options, LISTENER);
  const stop = abortOnSignal();
  await withTemporaryEndpoint(service, { command: 'listen', to, events, ordered: options.ordered ?? false }, async (endpoint) => {
    process.stdout.write(formatGreeting(service, to, endpoint));
    await printAttempts(service, endpoint.id, stop);
  });
};

const formatGreeting = ({ url }: ServiceClient, to: string, { id, events, secret }: RegisteredWebhook): string => `
  ${url} posts new events to ${to}

    Events       ${events.join(', ')}
    Secret       ${secret}
                 the same each time for this address; it signs every request (Standard Webhooks 1.0)
    Endpoint     ${id}, removed at the end

  Press Ctrl-C to stop.

`;

const printAttempts = async (service: ServiceClient, id: string, stop: AbortSignal): Promise<void> => {
  const lines = new DeliveryLines(service, id);
  let isUnreachable = false;
  while (!stop.aborted) {
    try {
      for (const line of await lines.readNewLines()) process.stdout.write(`${line}\n`);
      if (isUnreachable) process.stderr.write('The service answers again.\n');
      isUnreachable = false;
    } catch (error) {
      if (error instanceof ErrorResponse && error.status === 404)
        throw new CommandError(`endpoint ${id} was removed by another client`, { cause: error });
      if (!(error instanceof CommandError && isRetryable(error))) throw error;
      if (!isUnreachable) process.stderr.write(`Waiting: ${error.message}\n`);
      isUnreachable = true;
    }
    await pause(POLL_INTERVAL, stop);
  }
};
