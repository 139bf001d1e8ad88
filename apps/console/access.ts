/** What an access token says about itself. The page only chooses by it what it shows: the service checks every request. */
export type Claims = {
  readonly subject: string;
  readonly scopes: ReadonlySet<string>;
  /** The tenant to which the token is bound; absent if it is bound to none. */
  readonly tenant?: string;
  /** Milliseconds since 1970; absent if the token does not say when it ends. */
  readonly endsAt?: number;
  readonly hasSession: boolean;
};

const decodePart = (part: string): unknown => {
  const bytes = Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
};

/** The names of the claims that differ between issuers. */
export type ClaimNames = { readonly scopeClaim: string; readonly tenantClaim: string };

/** Returns the claim with this name, or else reads the name as a path, as the service does (contract 33.2). */
const claimAt = (payload: Readonly<Record<string, unknown>>, name: string): unknown => {
  if (Object.hasOwn(payload, name)) return payload[name];
  return name
    .split('.')
    .reduce<unknown>(
      (value, part) => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[part] : undefined),
      payload,
    );
};

const scopesIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return value.split(' ').filter(Boolean);
  return Array.isArray(value) ? value.filter((scope) => typeof scope === 'string') : [];
};

/** Returns the claims of a JSON Web Token, or null if the text is none. */
export const claimsOf = (token: string, { scopeClaim, tenantClaim }: ClaimNames): Claims | null => {
  const parts = token.split('.');
  if (parts.length !== 3) return null;
  try {
    const payload = decodePart(parts[1] ?? '') as Readonly<Record<string, unknown>>;
    const { sub, exp, sid } = payload;
    // The store's own tokens are accepted beside those of an outside issuer.
    const scopes = [...scopesIn(claimAt(payload, scopeClaim)), ...scopesIn(payload['scope'])];
    const tenant = claimAt(payload, tenantClaim) ?? payload['tenant'];
    return {
      subject: typeof sub === 'string' ? sub : '',
      scopes: new Set(scopes),
      ...(typeof tenant === 'string' && { tenant }),
      ...(typeof exp === 'number' && { endsAt: exp * 1_000 }),
      hasSession: typeof sid === 'string',
    };
  } catch {
    return null;
  }
};

/** The names of the pages in the navigation, in its order. */
export const PAGES = [
  'overview',
  'stuck',
  'parked',
  'streams',
  'projections',
  'consumers',
  'deliveries',
  'accounts',
  'clients',
  'keys',
  'audit',
] as const;
export type PageName = (typeof PAGES)[number];

/** Returns whether the token may see the state of the whole service. A token that is bound to a tenant may not. */
export const mayOperate = ({ scopes, tenant }: Claims): boolean => scopes.has('ops') && tenant === undefined;

/** Returns whether the token may see and change the accounts and clients of a tenant: its own one, if it is bound to one. */
export const mayOperateTenant = ({ scopes }: Claims): boolean => scopes.has('ops');

export const mayAudit = ({ scopes }: Claims): boolean => scopes.has('audit:read');

/** Returns whether the token sees a part of the stream of live data (contract 43.12). */
export const mayWatch = (claims: Claims): boolean => mayOperate(claims) || mayAudit(claims);

/** The pages that need another token than one that sees the whole service. */
const NEEDS: Readonly<Partial<Record<PageName, (claims: Claims) => boolean>>> = {
  streams: mayAudit,
  accounts: mayOperateTenant,
  clients: mayOperateTenant,
  audit: mayAudit,
};

/** Returns the pages that the token may see. */
export const visiblePages = (claims: Claims): readonly PageName[] => PAGES.filter((page) => (NEEDS[page] ?? mayOperate)(claims));

/** Returns whether the token may choose a tenant, and whether `*`, all tenants, is one of the choices: only the log has all. */
export const tenantChoice = (claims: Claims): { readonly isFree: boolean; readonly hasAll: boolean } => ({
  isFree: claims.tenant === undefined && mayWatch(claims),
  hasAll: mayAudit(claims) && mayOperate(claims),
});
