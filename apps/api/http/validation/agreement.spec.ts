import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { OPERATIONS } from '../../operations.js';
import { BankAccountPayment, CardPayment, GuideBankAccountPayment, PaymentRequest } from '../../payments/payment.dto.js';
import { fastPathOf } from './fast-path.js';
import { rulesOf, type Dto } from './metadata.js';
import { dtoSchemas, SCHEMA_PREFIX, type JsonSchema } from './schemas.js';
import { listErrors } from './slow-path.js';

/** Texts near the limits of validation rules: each just meets or just breaks a rule. */
const TEXTS = [
  '',
  ' ',
  'x',
  'a\u0000b',
  'é',
  '😀',
  'a\uFE0F',
  'ann\u0085',
  'ann\u2028',
  ' ann',
  'ann@example.com',
  `${'😀'.repeat(16)}@example.com`,
  `${'😀'.repeat(17)}@example.com`,
  'ann..lee@example.com',
  '\uD800',
  'x'.repeat(50),
  '😀'.repeat(50),
  'x'.repeat(51),
  '12.00',
  '12.0',
  '1e3',
  '2026-02-28',
  '2026-02-30',
  '2026-02-28T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-02-28T24:00:00.5+01:00',
  'https://pets.test/a.jpg',
  'https://',
  'ftp://pets.test',
  'USD',
  'XYZ',
  '4242424242424242',
  '4242424242424241',
  '000123456789',
  '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60',
  '123',
  'gb',
  'AVAILABLE',
];
const NUMBERS = [-1, -0, 0, 1, 1.5, 12, 13, 100, 101, 2031, 2_147_483_647, 2_147_483_648, 1e300];

const anything: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...TEXTS, ...NUMBERS, true, false, null, {}, []),
  fc.string({ maxLength: 60 }),
  fc.array(fc.constantFrom<unknown>(...TEXTS, 1, null, {}), { maxLength: 3 }),
);

/** Generates values. The schema accepts most of them. */
const mostlyValid = (schema: JsonSchema): fc.Arbitrary<unknown> => {
  if (schema.$ref !== undefined)
    return fc.oneof(
      { weight: 4, arbitrary: mostlyValidObject(schemaNamed(schema.$ref.slice(SCHEMA_PREFIX.length))) },
      { weight: 1, arbitrary: anything },
    );
  const valid = [...validValues(schema)];
  const list = schema.items ? [fc.array(mostlyValid(schema.items), { maxLength: 3 })] : [];
  return fc.oneof(
    ...list.map((arbitrary) => ({ weight: 6, arbitrary })),
    { weight: 6, arbitrary: fc.constantFrom(...valid) },
    { weight: 1, arbitrary: anything },
  );
};

const validValues = ({ enum: values, examples, type }: JsonSchema): readonly unknown[] => {
  if (Array.isArray(values)) return values as unknown[];
  if (Array.isArray(examples)) return examples as unknown[];
  return type === 'string' ? TEXTS : type === 'integer' ? NUMBERS : type === 'boolean' ? [true, false] : [null];
};

const mostlyValidObject = ({ properties = {}, required = [] }: JsonSchema): fc.Arbitrary<object> =>
  fc
    .tuple(
      fc.record(
        Object.fromEntries(
          Object.entries(properties).map(([name, schema]) => [
            name,
            fc.option(mostlyValid(schema), { freq: required.includes(name) ? 40 : 2, nil: undefined }),
          ]),
        ),
      ),
      fc.option(fc.constantFrom('unknown', 'toString', 'constructor'), { freq: 1, nil: undefined }),
      fc.boolean(),
    )
    .map(([value, extra, isAdded]) => ({
      ...Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)),
      ...(isAdded && extra !== undefined && { [extra]: 1 }),
    }));

const schemaNamed = (name: string): JsonSchema => dtoSchemas()[name] ?? {};

/**
 * The DTOs that validate requests.
 * PaymentRequest only documents payments, so the DTOs for the kinds of payments replace it.
 */
const DTOS: ReadonlySet<Dto> = new Set<Dto>([
  ...Object.values(OPERATIONS)
    .flatMap(({ body, query, privileged }) => [body?.dto, query?.dto, privileged?.query.dto].filter((dto) => typeof dto === 'function'))
    .filter((dto) => dto !== PaymentRequest),
  CardPayment,
  BankAccountPayment,
  GuideBankAccountPayment,
]);

describe.each([...DTOS].map((dto) => [dto.name, dto] as const))('the fast and the slow validator of %s', (name, dto) => {
  const accepts = fastPathOf(dto);

  it('agree on valid and invalid values', () => {
    const outcomes = new Set<boolean>();
    fc.assert(
      fc.property(
        fc.oneof({ weight: 12, arbitrary: mostlyValidObject(schemaNamed(name)) }, { weight: 1, arbitrary: anything }),
        (value) => {
          const accepted = accepts(value);
          outcomes.add(accepted);
          expect({ value, accepted }).toEqual({ value, accepted: listErrors(dto, value).length === 0 });
        },
      ),
      { seed: 20_260_102, numRuns: 600 },
    );
    // Both outcomes must occur. Otherwise the property tests nothing.
    expect(outcomes).toEqual(new Set([true, false]));
  });
});

/** Characters at the limits of what patterns exclude: controls, separators, spaces, and one outside the basic plane. */
const LIMITS = ['a', '0', '.', '@', '-', ' ', '\u0000', '\n', '\u001f', '\u007f', '\u0085', '\u009f', '\u00a0', '\u2028', '\u3000', '😀'];
/** The patterns of rules. Those with `\u`, which RE2 does not know, have another form in the document (client-generators.spec.ts). */
const PATTERNS = [...new Set(JSON.stringify(dtoSchemas()).match(/"pattern":"(?:[^"\\]|\\.)*"/g))]
  .map((found) => (JSON.parse(`{${found}}`) as { readonly pattern: string }).pattern)
  .filter((pattern) => !pattern.includes('\\u'));

describe('the patterns of the document', () => {
  it('count code points in both validators: every rule has the flag u', () => {
    const rules = [...DTOS].flatMap((dto) => rulesOf(dto)).filter(({ name }) => name === 'matches');
    const patterns = rules.map(({ args: [pattern] }) => pattern as RegExp);
    expect(patterns.length).toBeGreaterThan(20);
    expect(patterns.filter(({ unicode }) => !unicode)).toEqual([]);
  });

  it.each(PATTERNS)('mean the same to RE2 and Go as to JavaScript: %s', (pattern) => {
    const [re2, own] = [RE2JS.compile(pattern), new RegExp(pattern, 'u')];
    const pieces = fc.array(fc.constantFrom(...LIMITS, ...TEXTS.filter((text) => text.isWellFormed())), { maxLength: 6 });
    fc.assert(
      fc.property(pieces, (texts) => expect([texts, re2.test(texts.join(''))]).toEqual([texts, own.test(texts.join(''))])),
      { seed: 20_260_103, numRuns: 500 },
    );
  });
});
