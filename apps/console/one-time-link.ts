import { placeOf } from './place.js';
import { setNotice, startSession } from './session.js';
import type { Problem } from './shapes.js';

/** Removes the secret of a one-time link from the address, and returns it. Returns null without one. */
const takeLinkSecret = (): string | null => {
  const [, secret] = /^#link=(.+)$/.exec(location.hash) ?? [];
  if (secret === undefined) return null;
  // At once, so that neither the history nor a reload has it.
  history.replaceState(null, '', location.pathname + location.search);
  return secret;
};

/** Exchanges the secret for a token and uses it. Returns why that was not possible, or null. */
const exchange = async (secret: string): Promise<string | null> => {
  try {
    const response = await fetch(`${placeOf().root}ops/link`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ secret }),
    });
    if (response.ok) return startSession(((await response.json()) as { readonly token: string }).token);
    if (response.status === 404) return 'This service gives no one-time links.';
    const { detail } = (await response.json()) as Problem;
    return `The link was not accepted: ${detail}`;
  } catch {
    return 'The link was not accepted, because the service did not answer.';
  }
};

/** Signs in with the one-time link in the address, if there is one. */
export const followLink = async (): Promise<void> => {
  const secret = takeLinkSecret();
  const problem = secret === null ? null : await exchange(secret);
  if (problem !== null) setNotice(problem);
};
