/** The field goes into the input as it was sent. */
export const AS_SENT = 'as sent';
/** The field is not part of this input: it is part of another one, or an argument of its own. */
export const SEPARATE = 'separate';

/** The fields of a body or query that its sender decides: those that are read-only are ignored, and have no type. */
type Writable<Body> = keyof { [Field in keyof Body as unknown extends Body[Field] ? never : Field]: Body[Field] };

/** Where a field of an input comes from. */
type Source<Body, Input, Field extends keyof Input> =
  ((body: Body) => Input[Field]) | (Field extends keyof Body ? (Body[Field] extends Input[Field] ? typeof AS_SENT : never) : never);

/** Where each field of an input comes from. A field that is missing here, of the body or of the input, does not compile. */
export type InputMapping<Body, Input> = {
  readonly [Field in Writable<Body> | keyof Input]-?: Field extends keyof Input ? Source<Body, Input, Field> : typeof SEPARATE;
};

type AnySource<Body> = typeof AS_SENT | typeof SEPARATE | ((body: Body) => unknown);

/** Makes the input of a command or query from a validated body or query. A field that comes to undefined is left out. */
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
