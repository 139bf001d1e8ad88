/** The scope of a request that names no scope (RFC 6749, 3.3, and contract 32.2). */
const DEFAULT_SCOPE = 'read:pets';

/** Returns whether a request names no scope. An empty parameter counts as absent (RFC 6749, 3.1). */
export const lacksScope = (parameters: URLSearchParams): boolean => parameters.getAll('scope').every((scope) => scope === '');

/** Sets the default scope in the parameters of a request that names no scope. Changes and returns `parameters`. */
export const addDefaultScope = (parameters: URLSearchParams): URLSearchParams => {
  if (lacksScope(parameters)) parameters.set('scope', DEFAULT_SCOPE);
  return parameters;
};
