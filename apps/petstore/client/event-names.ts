import { SUBSCRIBABLE_EVENTS, type SubscribableEvent } from '../../../libs/domain/webhooks/webhook.events.js';
import { CommandError } from '../errors/command-error.js';

/** Reads `order.statusChanged,pet.adopted`, in any case; refuses what is no event. */
export const parseEventNames = (text: string): readonly SubscribableEvent[] => {
  const names = text.split(',').map((name) => name.trim().toLowerCase());
  const unknown = names.filter((name) => !SUBSCRIBABLE_EVENTS.some((event) => event.toLowerCase() === name));
  if (unknown.length > 0)
    throw new CommandError(
      `--events: ${unknown.map((name) => name || 'nothing').join(', ')} is no event; there are ${SUBSCRIBABLE_EVENTS.join(', ')}`,
    );
  return SUBSCRIBABLE_EVENTS.filter((event) => names.includes(event.toLowerCase()));
};
