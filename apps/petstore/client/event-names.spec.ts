import { describe, expect, it } from '@jest/globals';
import { parseEventNames } from './event-names.js';

describe('parseEventNames', () => {
  it('reads names in any case and removes duplicates', () =>
    expect(parseEventNames(' PET.adopted, order.statuschanged,pet.adopted')).toEqual(['order.statusChanged', 'pet.adopted']));

  it.each(['', 'pet.eaten', 'pet.adopted,', 'webhook.test'])('rejects %j and lists the known events', (text) =>
    expect(() => parseEventNames(text)).toThrow(/unknown event .*; known events: order\.statusChanged, .*pet\.statusChanged/),
  );
});
