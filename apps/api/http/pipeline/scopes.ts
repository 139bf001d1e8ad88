/** What a token may permit, as clients are told. */
export const SCOPES = {
  'read:pets': 'view pet information',
  'write:pets': 'create and update pets',
  'write:orders': "see and move on everybody's orders",
  'write:webhooks': 'keep webhook endpoints, and see what was delivered to them',
} as const;

export type Scope = keyof typeof SCOPES;

/** "scope `ops` is exempt" from rate limits, and acts in any tenant. */
export const OPS = 'ops';
