/** The addresses of the authorization server (contract 32.1). */
export const ADDRESSES = {
  authorize: '/oauth/authorize',
  implicit: '/oauth/implicit',
  token: '/oauth/token',
  refresh: '/oauth/refresh',
  deviceAuthorize: '/oauth/device/authorize',
  device: '/oauth/device',
  revocation: '/oauth/revocation',
  introspection: '/oauth/introspection',
  userinfo: '/oauth/userinfo',
  endSession: '/oauth/logout',
  endSessionConfirm: '/oauth/logout/confirm',
  jwks: '/oauth/jwks',
  interaction: '/oauth/interaction',
  openidDiscovery: '/.well-known/openid-configuration',
  oauthDiscovery: '/.well-known/oauth-authorization-server',
} as const;
