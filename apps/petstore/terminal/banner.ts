import type { Settings } from '../../../libs/settings/settings.js';
import { PROGRAM_NAME, TOKEN_COMMAND } from './installation.js';

/** Formats the URL for clients. If PUBLIC_URL is set, adds the URL that the server listens on. */
export const formatAddress = (listening: string, { publicUrl }: Pick<Settings, 'publicUrl'>): string =>
  publicUrl === undefined ? listening : `${publicUrl}, listening on ${listening}`;

/**
 * Formats what `start` prints when the service accepts requests. `adminPassword` is the random password of the first
 * staff account, or null if this start did not generate one.
 */
export const formatBanner = (
  listening: string,
  settings: Pick<Settings, 'dataDir' | 'publicUrl' | 'egressAllow'>,
  adminPassword: string | null = null,
): string => {
  const { dataDir, publicUrl = listening, egressAllow } = settings;
  // An operator may not expect `loopback`: the default of EGRESS_ALLOW depends on HOST and NODE_ENV (contract 21.4).
  const webhooks = egressAllow === 'loopback' ? '\n    Webhooks     may be sent to this machine; EGRESS_ALLOW=none forbids that' : '';
  const staff = adminPassword === null ? '' : `\n    Staff        admin, with the password ${adminPassword}, which is shown only now`;
  return `
  Petstore is open at ${formatAddress(listening, settings)}

    Interface    ${publicUrl}/docs
    Token        ${TOKEN_COMMAND}
    Sample pets  ${PROGRAM_NAME} seed --pets 1000
    Data         ${dataDir === ':memory:' ? 'in memory only, lost when the service stops' : `stored in ${dataDir}`}${staff}${webhooks}

  Press Ctrl-C to stop.
`;
};
