import { OPS, SCOPES } from '../../api/http/admission/access.js';

/** Every scope that a token may have, and what it permits. */
export const TOKEN_SCOPES: Readonly<Record<string, string>> = {
  ...SCOPES,
  [OPS]: 'work in any tenant, without a rate limit',
};

/** Formats the list of scopes for the help of the command. */
export const describeScopes = (): string =>
  `\nScopes:\n${Object.entries(TOKEN_SCOPES)
    .map(([scope, meaning]) => `  ${scope.padEnd(16)} ${meaning}`)
    .join('\n')}\n`;
