/**
 * Makes optional members required but possibly undefined, so that a body must list each one. JSON omits
 * undefined.
 */
export type ExplicitOptional<T> = { readonly [K in keyof T]-?: Partial<Pick<T, K>> extends Pick<T, K> ? T[K] | undefined : T[K] };
