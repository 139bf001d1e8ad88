/** A body whose optional members are always there, undefined when they were not said: JSON leaves those out. */
export type Said<T> = { readonly [K in keyof T]-?: Partial<Pick<T, K>> extends Pick<T, K> ? T[K] | undefined : T[K] };
