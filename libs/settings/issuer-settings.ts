import { issuerForm } from './address-values.js';
import { claimForm, lineForm } from './setting-values.js';

/** The settings of an outside issuer (contract 33.1). */
export const OUTSIDE_ISSUER = {
  oidcIssuer: {
    name: 'OIDC_ISSUER',
    form: issuerForm,
    default: null,
    meaning: 'OpenID Connect issuer whose access tokens are accepted. If set, sign-in at this service is off; set OIDC_AUDIENCE too',
  },
  oidcAudience: {
    name: 'OIDC_AUDIENCE',
    form: lineForm,
    default: null,
    meaning: "This service's name in the claim `aud` of access tokens. Never use a client id: ID tokens for this client would be accepted",
  },
  oidcJwksUrl: {
    name: 'OIDC_JWKS_URL',
    form: issuerForm,
    default: null,
    meaning: "The address of the issuer's public keys, if it is on another host. By default, the issuer's discovery document names it",
  },
  oidcScopeClaim: {
    name: 'OIDC_SCOPE_CLAIM',
    form: claimForm,
    default: 'scope',
    meaning: "The claim of the issuer's tokens that contains the scopes: a text with spaces between scopes, or a list of texts",
  },
  oidcTenantClaim: {
    name: 'OIDC_TENANT_CLAIM',
    form: claimForm,
    default: 'tenant',
    meaning: "The claim of the issuer's tokens that contains the tenant id, a UUID; a token without this claim is not bound to a tenant",
  },
} as const;
