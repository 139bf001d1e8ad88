import { SignInAttempts, UNLIMITED_ATTEMPTS } from '../../../libs/application/sessions/sign-in-attempts.js';
import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';
import type { Documents } from '../../../libs/eventsourcing/ports/documents.port.js';
import type { Settings } from '../../../libs/settings/settings.js';

/** Returns the limit of guesses for a process that answers requests. RATE_LIMIT=off permits every attempt. */
export const signInAttemptsOf = (
  { rateLimit }: Pick<Settings, 'rateLimit'>,
  { documents, clock }: { readonly documents: Documents; readonly clock: Clock },
): Pick<SignInAttempts, 'begin'> => (rateLimit === 'off' ? UNLIMITED_ATTEMPTS : new SignInAttempts(documents, clock));
