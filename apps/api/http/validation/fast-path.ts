import { Ajv } from 'ajv';
import { isCalendarDate, isCardNumber, isHttpUri, isDateTime, isWellFormed } from './formats.js';
import type { Dto } from './metadata.js';
import { dtoSchemas, SCHEMA_PREFIX } from './schemas.js';

/** The formats of JSON Schema. Each has the same function as in the slow path, so that both paths agree. */
const FORMATS = {
  date: isCalendarDate,
  'date-time': isDateTime,
  uri: isHttpUri,
  'card-number': isCardNumber,
  unicode: isWellFormed,
  // This format only documents a property. A pattern validates the text.
  uuid: true,
} as const;

type Accepts = (value: unknown) => boolean;

/** The compiled validator of each DTO, for all routes. Applications in one process, as in tests, share it. */
const compiled = new WeakMap<Dto, Accepts>();
/** The compiler of each set of schemas. Each set has one, so that references are resolved only once. */
const compilers = new WeakMap<object, Ajv>();

/**
 * Returns a function that returns whether a value meets all rules of a DTO. Its first call compiles the
 * validator, because compiling all DTOs at startup would take an eighth of the startup time.
 */
export const fastPathOf = (dto: Dto): Accepts => {
  let accepts: Accepts | undefined;
  return (value) => (accepts ??= compile(dto))(value);
};

const compile = (dto: Dto): Accepts => {
  const cached = compiled.get(dto);
  if (cached) return cached;
  const validate = compilerOf(dtoSchemas()).compile({ $ref: `dto${SCHEMA_PREFIX}${dto.name}` });
  const accepts: Accepts = (value) => validate(value);
  compiled.set(dto, accepts);
  return accepts;
};

const compilerOf = (schemas: ReturnType<typeof dtoSchemas>): Ajv => {
  const cached = compilers.get(schemas);
  if (cached) return cached;
  // `strict` is off, because it requires a `type` beside every keyword, and
  // some decorators add keywords without one. The check against the meta-schema
  // is off, because it is slow and the schemas come from the service itself.
  const ajv = new Ajv({ strict: false, allErrors: false, formats: FORMATS, meta: false, validateSchema: false });
  ajv.addSchema({ $id: 'dto', components: { schemas } });
  compilers.set(schemas, ajv);
  return ajv;
};
