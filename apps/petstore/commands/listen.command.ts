import type { Settings } from '../../../libs/settings/settings.js';
import { SUBSCRIBABLE_EVENTS } from '../../../libs/domain/webhooks/webhook.events.js';
import type { RegisteredWebhook } from '../../api/webhooks/webhook.dto.js';
import { DeliveryLines } from '../client/delivery-lines.js';
import { parseEventNames } from '../client/event-names.js';
import { isRetryable, connectToStore, ErrorAnswer, type StoreClient, type StoreOptions } from '../client/store-client.js';
import { parseReceiver, withTemporaryEndpoint } from '../client/temporary-endpoint.js';
import { abortOnSignal } from '../client/abort-on-signal.js';
import { CommandError } from '../errors/command-error.js';
import { pause } from '../terminal/pause.js';

/** The options of `petstore listen`. */
export type ListenOptions = StoreOptions & { readonly forwardTo: string; readonly events?: string; readonly ordered?: boolean };

/** The subject and scopes of the command's token. With the scope ops it has no rate limit. */
const LISTENER = { subject: 'listen', scope: 'write:webhooks ops' };
const POLL_INTERVAL = 300;

/** Forwards new events to an address until SIGINT or SIGTERM, and prints each attempt. */
export const listenCommand = async (settings: Settings, options: ListenOptions): Promise<void> => {
  const to = parseReceiver('--forward-to', options.forwardTo);
  const events = options.events === undefined ? SUBSCRIBABLE_EVENTS : parseEventNames(options.events);
  const store = await connectToStore(settings, options, LISTENER);
  const stop = abortOnSignal();
  await withTemporaryEndpoint(store, { command: 'listen', to, events, ordered: options.ordered ?? false }, async (endpoint) => {
    process.stdout.write(formatGreeting(store, to, endpoint));
    await printAttempts(store, endpoint.id, stop);
  });
};

const formatGreeting = ({ url }: StoreClient, to: string, { id, events, secret }: RegisteredWebhook): string => `
  ${url} posts new events to ${to}

    Events       ${events.join(', ')}
    Secret       ${secret}
                 shown once; every request is signed with it (Standard Webhooks 1.0)
    Endpoint     ${id}, removed at the end

  Press Ctrl-C to stop.

`;

const printAttempts = async (store: StoreClient, id: string, stop: AbortSignal): Promise<void> => {
  const lines = new DeliveryLines(store, id);
  let isUnreachable = false;
  while (!stop.aborted) {
    try {
      for (const line of await lines.readNewLines()) process.stdout.write(`${line}\n`);
      if (isUnreachable) process.stderr.write('The store answers again.\n');
      isUnreachable = false;
    } catch (error) {
      if (error instanceof ErrorAnswer && error.status === 404)
        throw new CommandError(`endpoint ${id} was removed by another client`, { cause: error });
      if (!(error instanceof CommandError && isRetryable(error))) throw error;
      if (!isUnreachable) process.stderr.write(`Waiting: ${error.message}\n`);
      isUnreachable = true;
    }
    await pause(POLL_INTERVAL, stop);
  }
};
