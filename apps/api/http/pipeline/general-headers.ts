import type { Settings } from '../../../../libs/settings/settings.js';

/** Returns the headers of a response, whatever the request is. */
export type GeneralHeaders = (requestId: string) => Readonly<Record<string, string>>;

/** Creates the headers that every response has (contract 2.6, 2.9), also one to a request that Node cannot parse. */
export const createGeneralHeaders = ({ publicUrl }: Pick<Settings, 'publicUrl'>): GeneralHeaders => {
  const isSecure = publicUrl?.startsWith('https:') ?? false;
  return (requestId) => ({
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    ...(isSecure && { 'strict-transport-security': 'max-age=31536000' }),
  });
};
