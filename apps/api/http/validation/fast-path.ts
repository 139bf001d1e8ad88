import { Ajv } from 'ajv';
import { isCalendarDate, isCardNumber, isHttpUri, isMoment, isWellFormed } from './formats.js';
import type { Dto } from './metadata.js';
import { dtoSchemas, SCHEMA_PREFIX } from './schemas.js';

/** The same functions that the slow path calls, so that the two agree by construction. */
const FORMATS = {
  date: isCalendarDate,
  'date-time': isMoment,
  uri: isHttpUri,
  'card-number': isCardNumber,
  unicode: isWellFormed,
  // Said for readers; a pattern beside it decides.
  uuid: true,
} as const;

type Accepts = (value: unknown) => boolean;

/** A class never changes, so it is compiled once however many routes and applications ask for it. */
const compiled = new WeakMap<Dto, Accepts>();
/** One compiler for each state of the schemas: it resolves what refers to what once, not for every class. */
const compilers = new WeakMap<object, Ajv>();

/** Compiles a DTO's decorators into one function that accepts what they all accept, and says nothing about the rest. */
export const compileFastPath = (dto: Dto): Accepts => {
  const known = compiled.get(dto);
  if (known) return known;
  const validate = compilerOf(dtoSchemas()).compile({ $ref: `dto${SCHEMA_PREFIX}${dto.name}` });
  const accepts: Accepts = (value) => validate(value);
  compiled.set(dto, accepts);
  return accepts;
};

const compilerOf = (schemas: ReturnType<typeof dtoSchemas>): Ajv => {
  const known = compilers.get(schemas);
  if (known) return known;
  // `strict` wants types beside every keyword, which merged decorators do not promise. The schemas are made here: they need not
  // be checked against JSON Schema's own, which takes longer to compile than they do.
  const ajv = new Ajv({ strict: false, allErrors: false, formats: FORMATS, meta: false, validateSchema: false });
  ajv.addSchema({ $id: 'dto', components: { schemas } });
  compilers.set(schemas, ajv);
  return ajv;
};
