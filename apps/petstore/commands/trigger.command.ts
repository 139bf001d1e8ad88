import type { Settings } from '../../../libs/settings/settings.js';
import { WEBHOOK_TEST, type WebhookEventType } from '../../../libs/contracts/webhook-contract.js';
import { UUID } from '../../api/http/patterns.js';
import { connectClient, type ServiceOptions } from '../client/service-client.js';
import { SCENARIOS, TRIGGERED_EVENTS } from '../client/trigger-scenarios.js';
import { clock } from '../composition/clock.js';
import { CommandError } from '../errors/command-error.js';

/** The options of `petstore trigger`. */
export type TriggerOptions = ServiceOptions & { readonly webhook?: string };

/** The subject and scopes of the command's token. The scope ops exempts its requests from the rate limit (contract 11.2). */
const TRIGGERER = { subject: 'trigger', scope: 'read:pets write:pets write:orders write:webhooks ops' };

/** Causes an event in a running service, and prints each request. */
export const triggerCommand = async (settings: Settings, text: string, { webhook, ...options }: TriggerOptions): Promise<void> => {
  const event = parseEvent(text);
  if (webhook !== undefined && !UUID.test(webhook))
    throw new CommandError(`--webhook ${webhook} is not a UUID: pass the id of an endpoint`);
  if (webhook !== undefined && event !== WEBHOOK_TEST)
    throw new CommandError(`--webhook works only with ${WEBHOOK_TEST}; ${event} goes to every endpoint that subscribes to it`);
  const service = await connectClient(settings, options, TRIGGERER);
  await SCENARIOS[event].run({
    service,
    clock,
    onStep: ({ method, path, status, outcome }) => void process.stdout.write(`${method} ${path}  ${status}  ${outcome}\n`),
    ...(webhook !== undefined && { webhookId: webhook }),
  });
  process.stdout.write(`${event} has happened.\n`);
};

const parseEvent = (text: string): WebhookEventType => {
  const event = TRIGGERED_EVENTS.find((name) => name.toLowerCase() === text.toLowerCase());
  if (!event) throw new CommandError(`unknown event ${JSON.stringify(text)}; known events: ${TRIGGERED_EVENTS.join(', ')}`);
  return event;
};
