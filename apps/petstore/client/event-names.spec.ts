import { describe, expect, it } from '@jest/globals';
import { parseEventNames } from './event-names.js';

describe('the names of events', () => {
  it('are read in any case, each once', () =>
    expect(parseEventNames(' PET.adopted, order.statuschanged,pet.adopted')).toEqual(['order.statusChanged', 'pet.adopted']));

  it.each(['', 'pet.eaten', 'pet.adopted,', 'webhook.test'])('%j are refused, with those that there are', (text) =>
    expect(() => parseEventNames(text)).toThrow(/is no event; there are order\.statusChanged, .*pet\.statusChanged/),
  );
});
