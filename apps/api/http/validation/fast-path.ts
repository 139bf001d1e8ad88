import { Ajv } from 'ajv';
import { isCalendarDate, isCardNumber, isHttpUri, isMoment, isWellFormed } from './formats.js';
import type { Dto } from './metadata.js';
import { dtoSchemas, SCHEMA_PREFIX } from './schemas.js';

/** The formats, with the same functions as the slow path, so that both paths agree. */
const FORMATS = {
  date: isCalendarDate,
  'date-time': isMoment,
  uri: isHttpUri,
  'card-number': isCardNumber,
  unicode: isWellFormed,
  // Only for documentation: a pattern validates the text.
  uuid: true,
} as const;

type Accepts = (value: unknown) => boolean;

/** The compiled function of each DTO, for all routes and applications. */
const compiled = new WeakMap<Dto, Accepts>();
/** A compiler for each set of schemas, so that references are resolved once. */
const compilers = new WeakMap<object, Ajv>();

/**
 * Returns a function that returns whether a value meets all decorators of a DTO. The first call compiles it:
 * compiling every DTO at start would take an eighth of the start.
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
  // `strict` is off, because it requires a type beside every keyword, which merged decorators do not give. The slow
  // check against the meta-schema is off, because this service creates the schemas.
  const ajv = new Ajv({ strict: false, allErrors: false, formats: FORMATS, meta: false, validateSchema: false });
  ajv.addSchema({ $id: 'dto', components: { schemas } });
  compilers.set(schemas, ajv);
  return ajv;
};
