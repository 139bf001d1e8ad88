import type { Settings } from '../../../libs/settings/settings.js';

/** What a person sees once the store answers. */
export const formatBanner = (url: string, { dataDir }: Settings): string => {
  const kept = dataDir === ':memory:' ? 'kept in memory only: gone when it stops' : `kept in ${dataDir}`;
  return `
  Petstore is open at ${url}

    Interface    ${url}/docs
    A token      npm run --silent petstore -- token --scope "write:pets read:pets"
    Some pets    npm run petstore -- seed --pets 1000
    Data         ${kept}

  Ctrl-C stops it.
`;
};
