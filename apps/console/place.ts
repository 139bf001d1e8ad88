/** What the service says about itself in the shell page. */
export type Place = {
  /** The path below which everything is, with a slash at its end. */
  readonly root: string;
  readonly publicUrl: string;
  /** The id of the OAuth client; empty if an outside issuer knows none. */
  readonly client: string;
  /** The URL of an outside issuer of tokens; empty if the service issues them. */
  readonly issuer: string;
  /** The claims of its tokens that have the scopes and the tenant. */
  readonly scopeClaim: string;
  readonly tenantClaim: string;
  readonly redirectUri: string;
};

const read = (): Place => {
  const {
    root = '/',
    public: publicUrl = location.origin,
    client = '',
    issuer = '',
    scopes: scopeClaim = 'scope',
    tenant: tenantClaim = 'tenant',
    return: back = 'ops/signed-in',
  } = document.getElementById('console')?.dataset ?? {};
  return { root, publicUrl, client, issuer, scopeClaim, tenantClaim, redirectUri: `${publicUrl.replace(/\/$/, '')}/${back}` };
};

let place: Place | undefined;

/** Returns what the shell page says. It does not change while the page is open. */
export const placeOf = (): Place => (place ??= read());
