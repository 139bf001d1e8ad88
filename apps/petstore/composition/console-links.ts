import { secretBytes } from '../../../libs/adapters/system/index.js';
import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';
import { ConsoleLinks } from '../../api/sign-in/console-links.js';

/** Creates the one-time link of this process, without a secret. */
export const createConsoleLinks = (clock: Pick<Clock, 'elapsed'>): ConsoleLinks => new ConsoleLinks(clock, secretBytes);
