import type { Settings } from '../../../libs/settings/settings.js';
import { ANNOUNCED_EVENTS } from '../../../libs/domain/webhooks/webhook.events.js';
import type { RegisteredWebhook } from '../../api/webhooks/webhook.dto.js';
import { DeliveryLines } from '../client/delivery-lines.js';
import { eventsFrom } from '../client/event-names.js';
import { mayPass, reachStore, StoreRefusal, type ReachedStore, type StoreOptions } from '../client/store-client.js';
import { addressFrom, withTemporaryEndpoint } from '../client/temporary-endpoint.js';
import { untilSignal } from '../client/abort-on-signal.js';
import { CommandError } from '../errors/command-error.js';
import { pause } from '../terminal/pause.js';

/** What `petstore listen` is asked for. */
export type ListenOptions = StoreOptions & { readonly forwardTo: string; readonly events?: string; readonly ordered?: boolean };

/** `ops` is exempt from the rate limit. */
const LISTENER = { subject: 'listen', scope: 'write:webhooks ops' };
const LOOKS_EVERY = 300;

/** Has the store post new events to an address until SIGINT or SIGTERM, and says what came of each attempt. */
export const listenCommand = async (settings: Settings, options: ListenOptions): Promise<void> => {
  const to = addressFrom('--forward-to', options.forwardTo);
  const events = options.events === undefined ? ANNOUNCED_EVENTS : eventsFrom(options.events);
  const store = await reachStore(settings, options, LISTENER);
  const stop = untilSignal();
  await withTemporaryEndpoint(store, { command: 'listen', to, events, ordered: options.ordered ?? false }, async (endpoint) => {
    process.stdout.write(greeting(store, to, endpoint));
    await tellAttempts(store, endpoint.id, stop);
  });
};

const greeting = ({ url }: ReachedStore, to: string, { id, events, secret }: RegisteredWebhook): string => `
  ${url} posts new events to ${to}

    Events       ${events.join(', ')}
    Secret       ${secret}
                 shown once; every request is signed with it (Standard Webhooks 1.0)
    Endpoint     ${id}, removed at the end

  Ctrl-C stops it.

`;

const tellAttempts = async (store: ReachedStore, id: string, stop: AbortSignal): Promise<void> => {
  const lines = new DeliveryLines(store, id);
  let silent = false;
  while (!stop.aborted) {
    try {
      for (const line of await lines.next()) process.stdout.write(`${line}\n`);
      if (silent) process.stderr.write('The store answers again.\n');
      silent = false;
    } catch (error) {
      if (error instanceof StoreRefusal && error.status === 404)
        throw new CommandError(`endpoint ${id} is gone: somebody has removed it`, { cause: error });
      if (!(error instanceof CommandError && mayPass(error))) throw error;
      if (!silent) process.stderr.write(`Waiting: ${error.message}\n`);
      silent = true;
    }
    await pause(LOOKS_EVERY, stop);
  }
};
