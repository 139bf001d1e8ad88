import { describe, expect, it } from '@jest/globals';
import { AS_SENT, inputOf, SEPARATE } from './input-mapping.js';

class NewPet {
  readonly name!: string;
  readonly price?: string;
  readonly currency?: string;
  readonly status?: 'AVAILABLE' | 'PENDING';
  /** Read-only. */
  readonly id?: unknown;
}
type Details = { readonly name: string; readonly price?: string; readonly currency?: string };

const currency = ({ price }: NewPet): string | undefined => (price === undefined ? undefined : 'USD');
const details = inputOf<NewPet, Details>({ name: AS_SENT, price: AS_SENT, currency, status: SEPARATE });

describe('an input', () => {
  it('has the sent and derived fields, without read-only and separate ones', () =>
    expect(details({ name: 'Luna', price: '250.00', status: 'PENDING', id: 7 })).toEqual({
      name: 'Luna',
      price: '250.00',
      currency: 'USD',
    }));

  it('lacks absent fields', () => expect(Object.keys(details({ name: 'Luna' }))).toEqual(['name']));

  it('keeps empty and false values', () =>
    expect(inputOf<{ a: string; b: boolean }, { a: string; b: boolean }>({ a: AS_SENT, b: AS_SENT })({ a: '', b: false })).toEqual({
      a: '',
      b: false,
    }));
});

/** None of these may compile: `npm run check` fails if one does. */
export const NOT_COMPILING = [
  // @ts-expect-error -- the body's status is missing
  inputOf<NewPet, Details>({ name: AS_SENT, price: AS_SENT, currency }),
  // @ts-expect-error -- the input's price is missing; the body has it
  inputOf<NewPet, Details>({ name: AS_SENT, currency, status: SEPARATE }),
  // @ts-expect-error -- the input's breed is missing; the body lacks it
  inputOf<NewPet, Details & { breed?: string }>({ name: AS_SENT, price: AS_SENT, currency, status: SEPARATE }),
  inputOf<NewPet, Details & { breed?: string }>({
    name: AS_SENT,
    price: AS_SENT,
    currency,
    status: SEPARATE,
    // @ts-expect-error -- a field that the body lacks cannot be taken as sent
    breed: AS_SENT,
  }),
  inputOf<NewPet, Details>({
    name: AS_SENT,
    currency,
    status: SEPARATE,
    // @ts-expect-error -- a field of the input cannot be separate
    price: SEPARATE,
  }),
  inputOf<NewPet, { name: string; status: string }>({
    name: AS_SENT,
    price: SEPARATE,
    currency: SEPARATE,
    // @ts-expect-error -- the input requires a field that the body may lack
    status: AS_SENT,
  }),
  inputOf<NewPet, { name: number }>({
    // @ts-expect-error -- the input's name is no text
    name: AS_SENT,
    price: SEPARATE,
    currency: SEPARATE,
    status: SEPARATE,
  }),
  // @ts-expect-error -- neither type has the field
  inputOf<NewPet, Details>({ name: AS_SENT, price: AS_SENT, currency, status: SEPARATE, colour: AS_SENT }),
];
