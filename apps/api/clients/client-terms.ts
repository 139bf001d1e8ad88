import type { ClientTerms } from '../../../libs/application/oauth/clients.js';
import type { TokenClaims } from '../../../libs/ports/access-token.port.js';
import { OPS } from '../http/admission/access.js';
import type { FieldError } from '../http/problems/error-codes.js';
import { fieldProblem, Problem } from '../http/problems/problem.js';
import type { ClientRequest } from './client.dto.js';

/** Returns the terms of a new client. Absent terms get their defaults. */
export const newClientTerms = (body: ClientRequest): ClientTerms => ({
  name: body.name,
  redirectUris: body.redirectUris ?? [],
  postLogoutRedirectUris: body.postLogoutRedirectUris ?? [],
  device: body.device ?? false,
  confidential: body.confidential ?? body.program ?? false,
  implicit: body.implicit ?? false,
  program: body.program ?? false,
  scopes: body.scopes ?? [],
});

/** Throws a problem if a client cannot have these terms, or if `caller` cannot give them. */
export const checkTerms = (terms: ClientTerms, caller: TokenClaims | null): void => {
  const errors = [...redirectUriErrors(terms), ...programErrors(terms)];
  if (errors.length > 0) throw fieldProblem('validation-failed', errors);
  checkGivenScopes(terms, caller);
};

/** Throws a problem if an operator would give a program more than the operator has (contract 32.9). */
export const checkGivenScopes = ({ scopes }: Pick<ClientTerms, 'scopes'>, caller: TokenClaims | null): void => {
  const missing = scopes.filter((scope) => !caller?.scopes.has(scope));
  if (missing.length > 0) throw new Problem('forbidden', `A program gets only scopes that your token has. It lacks ${missing.join(', ')}.`);
  if (scopes.includes(OPS) && caller?.tenant !== undefined)
    throw new Problem('forbidden', 'Only an operator whose token has no tenant can register a program with the scope ops.');
};

/**
 * Returns the errors of redirect URIs that no pattern can express. The parser is that of the provider, which rejects a whole client
 * for one URI that it cannot parse, such as `https://256.256.256.256/`.
 */
const redirectUriErrors = (terms: ClientTerms): readonly FieldError[] => {
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
const programErrors = (terms: ClientTerms): readonly FieldError[] => {
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
