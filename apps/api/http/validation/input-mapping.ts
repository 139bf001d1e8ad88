/** Marks a field that the input of a command takes unchanged from the request body. */
export const AS_SENT = 'as sent';
/**
 * Marks a field of the body that the mapping leaves out of the input. Another input, or another argument of the command,
 * contains the value of the field.
 */
export const NOT_IN_INPUT = 'not in input';

/** The names of a body's writable fields. A read-only field has the type `unknown`, because any value is accepted. */
type Writable<Body> = keyof { [Field in keyof Body as unknown extends Body[Field] ? never : Field]: Body[Field] };

/** The source of a field of the input: a function of the body, or the field of the body with the same name. */
type Source<Body, Input, Field extends keyof Input> =
  ((body: Body) => Input[Field]) | (Field extends keyof Body ? (Body[Field] extends Input[Field] ? typeof AS_SENT : never) : never);

/** The source of each field. A mapping that lacks a field of the body or of the input does not compile. */
export type InputMapping<Body, Input> = {
  readonly [Field in Writable<Body> | keyof Input]-?: Field extends keyof Input ? Source<Body, Input, Field> : typeof NOT_IN_INPUT;
};

type AnySource<Body> = typeof AS_SENT | typeof NOT_IN_INPUT | ((body: Body) => unknown);

/** Returns a function that maps a validated body or query to an input. The input has no undefined fields. */
export const inputOf = <Body extends object, Input extends object>(mapping: InputMapping<Body, Input>): ((body: Body) => Input) => {
  const sources = Object.entries(mapping as Readonly<Record<string, AnySource<Body>>>).filter(([, source]) => source !== NOT_IN_INPUT);
  return (body) => {
    const input: Record<string, unknown> = {};
    for (const [field, source] of sources) {
      const value = typeof source === 'function' ? source(body) : body[field as keyof Body];
      if (value !== undefined) input[field] = value;
    }
    return input as Input;
  };
};
