import type { Settings } from '../../../libs/settings/settings.js';
import { PROGRAM_NAME, TOKEN_COMMAND } from './installation.js';

/** Formats the URL for clients, and the URL that the server listens on if it differs. */
export const formatAddress = (listening: string, { publicUrl }: Pick<Settings, 'publicUrl'>): string =>
  publicUrl === undefined ? listening : `${publicUrl}, listening on ${listening}`;

/** Formats what `start` prints when the service accepts requests. */
export const formatBanner = (listening: string, settings: Pick<Settings, 'dataDir' | 'publicUrl' | 'egressAllow'>): string => {
  const { dataDir, publicUrl = listening, egressAllow } = settings;
  // The default depends on HOST and NODE_ENV (contract 21.4), so an operator may not expect it.
  const webhooks = egressAllow === 'loopback' ? '\n    Webhooks     may be sent to this machine; EGRESS_ALLOW=none forbids that' : '';
  return `
  Petstore is open at ${formatAddress(listening, settings)}

    Interface    ${publicUrl}/docs
    Token        ${TOKEN_COMMAND}
    Sample pets  ${PROGRAM_NAME} seed --pets 1000
    Data         ${dataDir === ':memory:' ? 'in memory only, lost when the service stops' : `stored in ${dataDir}`}${webhooks}

  Press Ctrl-C to stop.
`;
};
