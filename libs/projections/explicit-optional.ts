/**
 * Makes optional members required, but permits undefined as their value. The compiler then rejects a body that does not name
 * each member. JSON omits undefined members.
 */
export type ExplicitOptional<T> = { readonly [K in keyof T]-?: Partial<Pick<T, K>> extends Pick<T, K> ? T[K] | undefined : T[K] };
