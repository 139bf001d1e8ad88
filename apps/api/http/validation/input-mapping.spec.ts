import { describe, expect, it } from '@jest/globals';
import { AS_SENT, inputOf, NOT_IN_INPUT } from './input-mapping.js';

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
const details = inputOf<NewPet, Details>({ name: AS_SENT, price: AS_SENT, currency, status: NOT_IN_INPUT });

describe('an input', () => {
  it('has the sent and the derived fields, but no read-only fields and none that are NOT_IN_INPUT', () =>
    expect(details({ name: 'Luna', price: '250.00', status: 'PENDING', id: 7 })).toEqual({
      name: 'Luna',
      price: '250.00',
      currency: 'USD',
    }));

  it('has no field that the body lacks', () => expect(Object.keys(details({ name: 'Luna' }))).toEqual(['name']));

  it('keeps empty and false values', () =>
    expect(inputOf<{ a: string; b: boolean }, { a: string; b: boolean }>({ a: AS_SENT, b: AS_SENT })({ a: '', b: false })).toEqual({
      a: '',
      b: false,
    }));
});

/** `npm run check` fails if one of these calls compiles. */
export const NOT_COMPILING = [
  // @ts-expect-error -- the body's status is missing
  inputOf<NewPet, Details>({ name: AS_SENT, price: AS_SENT, currency }),
  // @ts-expect-error -- the input's price is missing; the body has it
  inputOf<NewPet, Details>({ name: AS_SENT, currency, status: NOT_IN_INPUT }),
  // @ts-expect-error -- the input's breed is missing; the body lacks it
  inputOf<NewPet, Details & { breed?: string }>({ name: AS_SENT, price: AS_SENT, currency, status: NOT_IN_INPUT }),
  inputOf<NewPet, Details & { breed?: string }>({
    name: AS_SENT,
    price: AS_SENT,
    currency,
    status: NOT_IN_INPUT,
    // @ts-expect-error -- the body lacks this field, so it cannot be AS_SENT
    breed: AS_SENT,
  }),
  inputOf<NewPet, Details>({
    name: AS_SENT,
    currency,
    status: NOT_IN_INPUT,
    // @ts-expect-error -- a field of the input cannot be NOT_IN_INPUT
    price: NOT_IN_INPUT,
  }),
  inputOf<NewPet, { name: string; status: string }>({
    name: AS_SENT,
    price: NOT_IN_INPUT,
    currency: NOT_IN_INPUT,
    // @ts-expect-error -- the input requires a field that the body may lack
    status: AS_SENT,
  }),
  inputOf<NewPet, { name: number }>({
    // @ts-expect-error -- the input's name is no text
    name: AS_SENT,
    price: NOT_IN_INPUT,
    currency: NOT_IN_INPUT,
    status: NOT_IN_INPUT,
  }),
  // @ts-expect-error -- neither type has the field
  inputOf<NewPet, Details>({ name: AS_SENT, price: AS_SENT, currency, status: NOT_IN_INPUT, colour: AS_SENT }),
];
