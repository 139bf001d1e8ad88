import { describe, expect, it } from '@jest/globals';
import { eventChange, goldenEventName, type GoldenEvent } from './golden-events.js';

const REMEDY = 'Logs contain PetListed of the older shape: raise its schemaVersion in libs/domain/events.ts, and add an upcaster';

const listed = (data: unknown, form = 'complete'): GoldenEvent => {
  const event = { type: 'PetListed', schemaVersion: 2, form, data };
  return { ...event, file: goldenEventName(event) };
};
const before = listed({ details: { name: 'Rex', tags: [{ id: 1 }] } });
const after = listed({ details: { name: 'Rex', tags: [{ id: 1 }], goodWithCats: true } });

/** Proves contract 23.3. */
describe('a new shape of an event', () => {
  it('is accepted beside the older shape if its new fields are declared as optional', () => {
    const change = eventChange(after, [before], { optional: ['details.goodWithCats'] });
    expect(change).toMatchObject({
      file: 'events/PetListed.v2.plus-good-with-cats.json',
      breaks: [],
      additions: ['details.goodWithCats'],
    });
    const added = { ...after, form: 'plus-good-with-cats' };
    expect(eventChange(after, [before, added], { optional: ['details.goodWithCats'] })).toBeNull();
  });

  it('is compared with the nearest of the accepted shapes', () => {
    const next = listed({ ...(after.data as object), number: 1 });
    const added = { ...after, form: 'plus-good-with-cats' };
    expect(eventChange(next, [before, added], { optional: ['number'] })?.file).toBe('events/PetListed.v2.plus-number.json');
  });

  it('is compared with the shapes of its own form', () => {
    const card = listed({ card: 1 }, 'card');
    expect(eventChange(card, [before], {})?.file).toBe('events/PetListed.v2.card.json');
    expect(eventChange(listed({ card: 1, expiry: 2 }, 'card'), [before, card], { optional: ['expiry'] })?.file).toBe(
      'events/PetListed.v2.card-plus-expiry.json',
    );
  });

  it('finds fields of list items by the path of the list', () => {
    const tagged = listed({ details: { name: 'Rex', tags: [{ id: 1, name: 'gentle' }] } });
    expect(eventChange(tagged, [before], { optional: ['details.tags.name'] })?.breaks).toEqual([]);
  });

  it('is refused if its declaration does not list the new field', () =>
    expect(eventChange(after, [before], {})?.breaks).toEqual([
      `data.details.goodWithCats is new. ${REMEDY}; or list it there as \`optional\`.`,
    ]));

  it('is refused if a field is gone', () =>
    expect(eventChange(before, [after], {})?.breaks).toEqual([`data.details.goodWithCats has changed or is gone. ${REMEDY}.`]));
});
