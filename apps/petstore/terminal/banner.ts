import { resolve } from 'node:path';
import type { Settings } from '../../../libs/settings/settings.js';
import { formatConsole } from './console-link.js';
import { programOn, tokenCommandOn, type StoreSettings } from './installation.js';

/** Formats the URL for clients. If PUBLIC_URL is set, adds the URL that the server listens on. */
export const formatAddress = (listening: string, { publicUrl }: Pick<Settings, 'publicUrl'>): string =>
  publicUrl === undefined ? listening : `${publicUrl}, listening on ${listening}`;

/**
 * Formats what `start` prints when the service accepts requests. `adminPassword` is the random password of the first
 * staff account, or null if this start did not generate one. `link` is the secret of the one-time link to the console, or null
 * without a link.
 */
export const formatBanner = (
  listening: string,
  settings: Pick<Settings, 'publicUrl' | 'egressAllow'> & StoreSettings,
  { adminPassword = null, link = null }: { readonly adminPassword?: string | null; readonly link?: string | null } = {},
): string => {
  const { publicUrl = listening, egressAllow } = settings;
  // An operator may not expect `loopback`: the default of EGRESS_ALLOW depends on HOST and NODE_ENV (contract 21.4).
  const webhooks = egressAllow === 'loopback' ? '\n    Webhooks     may be sent to this machine; EGRESS_ALLOW=none forbids that' : '';
  const staff = adminPassword === null ? '' : `\n    Staff        admin, with the password ${adminPassword}, which is shown only now`;
  return `
  Petstore is open at ${formatAddress(listening, settings)}

    Interface    ${publicUrl}/docs
    Console      ${formatConsole(publicUrl, link)}
    ${formatStore(listening, settings)}${staff}${webhooks}

  Press Ctrl-C to stop.
`;
};

/** Formats the commands for the store, with the port that the server listens on, and the place of the data. */
const formatStore = (listening: string, { dataDir, servers }: StoreSettings): string => {
  // Commands are other processes, which have no access to the keys in memory.
  if (dataDir === ':memory:') return 'Data         in memory only, lost when the service stops; commands cannot use it';
  const store = { dataDir, port: Number(new URL(listening).port), ...(servers && { servers }) };
  return `Token        ${tokenCommandOn(store)}
    Sample pets  ${programOn(store)} seed --pets 1000
    Data         stored in ${resolve(dataDir)}`;
};
