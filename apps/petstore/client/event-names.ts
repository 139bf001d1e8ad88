import { ANNOUNCED_EVENTS, type AnnouncedEvent } from '../../../libs/domain/webhooks/webhook.events.js';
import { CommandError } from '../errors/command-error.js';

/** Reads `order.statusChanged,pet.adopted`, in any case; refuses what is no event. */
export const parseEventNames = (text: string): readonly AnnouncedEvent[] => {
  const names = text.split(',').map((name) => name.trim().toLowerCase());
  const unknown = names.filter((name) => !ANNOUNCED_EVENTS.some((event) => event.toLowerCase() === name));
  if (unknown.length > 0)
    throw new CommandError(
      `--events: ${unknown.map((name) => name || 'nothing').join(', ')} is no event; there are ${ANNOUNCED_EVENTS.join(', ')}`,
    );
  return ANNOUNCED_EVENTS.filter((event) => names.includes(event.toLowerCase()));
};
