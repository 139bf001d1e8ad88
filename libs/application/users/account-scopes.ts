/** The scopes of an account's token (contract 5.5). The account needs no scope for its own orders and its own data. */
const OF_ACCOUNTS = ['read:pets', 'chat:write'];

/** The scopes of staff: all. */
const OF_STAFF = [...OF_ACCOUNTS, 'write:pets', 'write:orders', 'write:webhooks', 'audit:read', 'ops'];

/** Returns the scopes that a token of an account may have. */
export const accountScopes = ({ isStaff }: { readonly isStaff: boolean }): readonly string[] => (isStaff ? OF_STAFF : OF_ACCOUNTS);
