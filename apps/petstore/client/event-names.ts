import { SUBSCRIBABLE_EVENTS, type SubscribableEvent } from '../../../libs/domain/webhooks/webhook.events.js';
import { CommandError } from '../errors/command-error.js';

/** Parses a list of event names in any case, such as `order.statusChanged,pet.adopted`. */
export const parseEventNames = (text: string): readonly SubscribableEvent[] => {
  const names = text.split(',').map((name) => name.trim().toLowerCase());
  const unknown = names.filter((name) => !SUBSCRIBABLE_EVENTS.some((event) => event.toLowerCase() === name));
  if (unknown.length > 0)
    throw new CommandError(
      `--events: unknown event ${unknown.map((name) => JSON.stringify(name)).join(', ')}; known events: ${SUBSCRIBABLE_EVENTS.join(', ')}`,
    );
  return SUBSCRIBABLE_EVENTS.filter((event) => names.includes(event.toLowerCase()));
};
