import fc from 'fast-check';
import type { JsonSchema } from '../../libs/contracts/message-schema.js';
import { propertiesOf, requiredOf, valuesOf, variantsOf } from './compatibility.js';

const AMOUNT = fc.tuple(fc.bigInt(0n, 9_999_999_999n), fc.integer({ min: 10, max: 99 })).map(([whole, cents]) => `${whole}.${cents}`);

/** The values of patterns and formats. A new pattern needs a row. */
const TEXTS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  [String.raw`^\d+\.\d{2}$`]: AMOUNT,
  '^[A-Z]{3}$': fc.constantFrom('EUR', 'USD', 'JPY'),
  uuid: fc.uuid(),
  date: fc.constantFrom('2026-01-01', '2028-02-29', '9999-12-31'),
  uri: fc.webUrl(),
};

/** Returns random values that are valid under the schema of a message. Optional properties are absent at random. */
export const arbitraryOf = <T>(schema: JsonSchema): fc.Arbitrary<T> => valueOf(schema) as fc.Arbitrary<T>;

const valueOf = (schema: JsonSchema): fc.Arbitrary<unknown> => {
  const { type, pattern, format, minimum, items } = schema as {
    readonly pattern?: string;
    readonly format?: string;
    readonly minimum?: number;
  } & JsonSchema;
  const [values, variants] = [valuesOf(schema), variantsOf(schema)];
  if (values) return fc.constantFrom(...values);
  if (variants.length > 0) return fc.oneof(...variants.map(valueOf));
  if (type === 'object') return objectOf(schema);
  if (type === 'array') return fc.array(valueOf(items as JsonSchema));
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return fc.integer({ min: minimum ?? 0 });
  const form = pattern ?? format;
  if (form === undefined) return fc.string({ unit: 'binary' });
  const text = TEXTS[form];
  if (!text) throw new Error(`test/golden/arbitrary.ts has no values of the form ${form}: add a row to TEXTS`);
  return text;
};

const objectOf = (schema: JsonSchema): fc.Arbitrary<unknown> =>
  fc.record(Object.fromEntries(Object.entries(propertiesOf(schema)).map(([name, part]) => [name, valueOf(part)])), {
    requiredKeys: [...requiredOf(schema)],
  });
