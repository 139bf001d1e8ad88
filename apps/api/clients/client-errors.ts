import type { ClientTerms } from '../../../libs/application/oauth/clients.js';
import type { FieldError } from '../http/problems/error-codes.js';

/**
 * Returns the errors of redirect URIs that no pattern can express. The parser is that of the provider, which rejects a whole client
 * for one URI that it cannot parse, such as `https://256.256.256.256/`.
 */
export const redirectUriErrors = (terms: ClientTerms): readonly FieldError[] => {
  const { redirectUris, device, program } = terms;
  if (redirectUris.length === 0 && !device && !program)
    return [{ field: 'redirectUris', code: 'required', message: 'must have a URI, unless the client uses device codes' }];
  return (['redirectUris', 'postLogoutRedirectUris'] as const).flatMap((name) =>
    terms[name].flatMap((uri, index): readonly FieldError[] =>
      URL.canParse(uri)
        ? []
        : [{ field: `${name}[${index}]`, code: 'INVALID_FORMAT', message: 'must be a URI with a possible host and port' }],
    ),
  );
};

/** Returns the errors of a program, which has a secret and scopes and no other grant, and of scopes that are for programs only. */
export const programErrors = (terms: ClientTerms): readonly FieldError[] => {
  const { program, scopes, confidential } = terms;
  if (!program)
    return scopes.length > 0 ? [{ field: 'scopes', code: 'mismatch', message: 'must be empty, unless the client is a program' }] : [];
  const others = (['redirectUris', 'postLogoutRedirectUris', 'device', 'implicit'] as const).filter((name) =>
    typeof terms[name] === 'boolean' ? terms[name] : terms[name].length > 0,
  );
  return [
    ...(scopes.length === 0 ? [{ field: 'scopes', code: 'required', message: 'must have a scope for a program' } as const] : []),
    ...(confidential ? [] : [{ field: 'confidential', code: 'mismatch', message: 'must be true for a program' } as const]),
    ...others.map((field) => ({ field, code: 'mismatch', message: 'is not for a program, which signs nobody in' }) as const),
  ];
};
