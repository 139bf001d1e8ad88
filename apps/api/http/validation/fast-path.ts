import { Ajv } from 'ajv';
import {
  isCalendarDate,
  isCardNumber,
  isHttpUri,
  isDateTime,
  isFreeText,
  isMailbox,
  isUnmixed,
  isVisible,
  isWellFormed,
} from './formats.js';
import type { Dto } from './metadata.js';
import { dtoSchemas, SCHEMA_PREFIX } from './schemas.js';

/**
 * The JSON Schema formats of the fast path, which is a validator that Ajv compiles from the schema of a DTO. The rules of the
 * slow path, class-validator, call the same functions, so that the two paths agree.
 */
const FORMATS = {
  date: isCalendarDate,
  'date-time': isDateTime,
  uri: isHttpUri,
  'card-number': isCardNumber,
  unicode: isWellFormed,
  'free-text': isFreeText,
  visible: isVisible,
  unmixed: isUnmixed,
  mailbox: isMailbox,
  // This format only documents a property. A pattern validates the text.
  uuid: true,
  // `int32` and `int64` only document the size of an integer. The bounds of the property validate the integer.
  int32: true,
  int64: true,
} as const;

type Accepts = (value: unknown) => boolean;

/** The compiled validator of each DTO. All routes share it, and also all Nest applications that one test process creates. */
const compiled = new WeakMap<Dto, Accepts>();
/** The compiler of each set of schemas. All DTOs of a set share one compiler, which resolves each reference only once. */
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
