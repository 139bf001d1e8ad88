import { SigningKeys } from '../../../libs/ports/signing-keys.port.js';
import type { AuthorizationServer, ServerDependencies } from './authorization-server.js';
import { IMPLICIT_WARNING } from './provider/implicit-request.js';

/**
 * Returns a function that opens the authorization server at its first call. After the published keys have changed, or another key
 * signs, or opening has failed, the next call opens it again. The service does not import the package oidc-provider before the first
 * call, because importing it takes a fifth of the startup time. If the implicit flow is on, logs a warning at once.
 */
export const lazyAuthorizationServer = (dependencies: ServerDependencies): (() => Promise<AuthorizationServer>) => {
  if (dependencies.isImplicitOn) dependencies.logger.warn(IMPLICIT_WARNING);
  let opened: { readonly keys: string; readonly server: Promise<AuthorizationServer> } | undefined;
  return () => {
    const published = dependencies.app.get<SigningKeys>(SigningKeys).published();
    const keys = published.map(({ kid }) => kid).join(' ');
    if (opened?.keys === keys) return opened.server;
    const server = import('./authorization-server.js').then(({ openAuthorizationServer }) =>
      openAuthorizationServer(dependencies, published),
    );
    const mine = (opened = { keys, server });
    server.catch(() => {
      if (opened === mine) opened = undefined;
    });
    return server;
  };
};
