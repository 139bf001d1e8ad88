/** The dotted paths of the optional members of a type: `details.nickname`. The members of list items have the path of the list. */
export type OptionalPath<T> = T extends string | number | boolean
  ? never
  : T extends readonly (infer Item)[]
    ? OptionalPath<Item>
    : {
        [K in keyof T & string]: (undefined extends T[K] ? K : never) | `${K}.${OptionalPath<Exclude<T[K], undefined>>}`;
      }[keyof T & string];
