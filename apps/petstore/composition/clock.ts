import { systemClock } from '../../../libs/adapters/system/index.js';
import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';

/** The time of commands, which open no store that has a clock. */
export const clock: Clock = systemClock;
