import type { Artifacts } from '../../../libs/application/oauth/artifacts.js';
import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';

/**
 * The minimum time between two polls of a device. A device must wait 5 seconds (RFC 8628, 3.2). The minimum is a second
 * shorter: if one poll is delayed on its way and the next is not, they arrive less than 5 seconds apart.
 */
const POLL_MILLISECONDS = 4_000;

/**
 * Returns whether a device polls too soon after its last poll. Of two polls at the same time, one counts as too soon. Returns
 * false for any other request and for an unknown code, which oidc-provider rejects. A last poll in the future shows that the clocks of two
 * processes differ, so it says nothing about the time between the polls.
 */
export const isPolledTooSoon = async (form: URLSearchParams, artifacts: Artifacts, clock: Clock): Promise<boolean> => {
  const code = form.get('device_code');
  if (form.get('grant_type') !== DEVICE_CODE || code === null) return false;
  if ((await artifacts.find('DeviceCode', code)) === null) return false;
  const now = clock.now().getTime();
  return !(await artifacts.update('DeviceCode', code, (artifact) => {
    const { polledAt } = artifact;
    return typeof polledAt === 'number' && Math.abs(now - polledAt) < POLL_MILLISECONDS ? null : { ...artifact, polledAt: now };
  }));
};

/**
 * Returns the body of a refresh request for the token endpoint. Adds `grant_type`, which the request may omit. Returns null
 * if the request names another grant type.
 */
export const refreshBody = (form: URLSearchParams): Buffer | null => {
  if (form.has('grant_type') && form.get('grant_type') !== 'refresh_token') return null;
  form.set('grant_type', 'refresh_token');
  return Buffer.from(form.toString());
};
