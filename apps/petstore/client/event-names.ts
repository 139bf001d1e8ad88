import { SUBSCRIBABLE_EVENTS, type SubscribableEvent } from '../../../libs/domain/webhooks/webhook.events.js';
import { CommandError } from '../errors/command-error.js';

/** Reads `order.statusChanged,pet.adopted`, in any case. */
export const parseEventNames = (text: string): readonly SubscribableEvent[] => {
  const names = text.split(',').map((name) => name.trim().toLowerCase());
  const unknown = names.filter((name) => !SUBSCRIBABLE_EVENTS.some((event) => event.toLowerCase() === name));
  if (unknown.length > 0)
    throw new CommandError(
      `--events: unknown event ${unknown.map((name) => JSON.stringify(name)).join(', ')}; known events: ${SUBSCRIBABLE_EVENTS.join(', ')}`,
    );
  return SUBSCRIBABLE_EVENTS.filter((event) => names.includes(event.toLowerCase()));
};
