/** The input takes the field unchanged. */
export const AS_SENT = 'as sent';
/** The field is not part of this input: another input or argument takes it. */
export const SEPARATE = 'separate';

/** The writable fields of a body or query. Read-only fields have the type unknown. */
type Writable<Body> = keyof { [Field in keyof Body as unknown extends Body[Field] ? never : Field]: Body[Field] };

/** The source of a field of an input. */
type Source<Body, Input, Field extends keyof Input> =
  ((body: Body) => Input[Field]) | (Field extends keyof Body ? (Body[Field] extends Input[Field] ? typeof AS_SENT : never) : never);

/** The source of each field of an input. A missing field of the body or of the input does not compile. */
export type InputMapping<Body, Input> = {
  readonly [Field in Writable<Body> | keyof Input]-?: Field extends keyof Input ? Source<Body, Input, Field> : typeof SEPARATE;
};

type AnySource<Body> = typeof AS_SENT | typeof SEPARATE | ((body: Body) => unknown);

/** Returns a function that maps a validated body or query to an input. It leaves out undefined fields. */
export const inputOf = <Body extends object, Input extends object>(mapping: InputMapping<Body, Input>): ((body: Body) => Input) => {
  const sources = Object.entries(mapping as Readonly<Record<string, AnySource<Body>>>).filter(([, source]) => source !== SEPARATE);
  return (body) => {
    const input: Record<string, unknown> = {};
    for (const [field, source] of sources) {
      const value = typeof source === 'function' ? source(body) : body[field as keyof Body];
      if (value !== undefined) input[field] = value;
    }
    return input as Input;
  };
};
