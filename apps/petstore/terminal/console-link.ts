import { isLoopback } from '../../../libs/settings/address-values.js';
import type { Settings } from '../../../libs/settings/settings.js';

/**
 * Returns whether a process may print a link that signs in without a password (contract 43.11). Only a person at this machine may read it:
 * a pipe may end in a log. Behind a proxy or in production, others reach the service, so a link would be a second way to sign in there. An
 * outside issuer changes nothing: `petstore token` works with it, too.
 */
export const mayGiveLink = (
  { host, publicUrl, trustedProxies, nodeEnv }: Pick<Settings, 'host' | 'publicUrl' | 'trustedProxies' | 'nodeEnv'>,
  isOnTerminal: boolean,
): boolean =>
  isOnTerminal &&
  isLoopback(host) &&
  (publicUrl === undefined || isLoopback(new URL(publicUrl).hostname.replace(/^\[|\]$/g, ''))) &&
  trustedProxies.length === 0 &&
  nodeEnv !== 'production';

/** Formats the address of the console. `secret` is that of a one-time link, or null without a link. */
export const formatConsole = (publicUrl: string, secret: string | null): string =>
  secret === null ? `${publicUrl}/ops` : `${publicUrl}/ops#link=${secret}   (signs in once, within 10 minutes)`;
