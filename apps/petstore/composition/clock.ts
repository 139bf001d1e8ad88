import { systemClock } from '../../../libs/adapters/system/index.js';
import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';

/** The clock of commands that open no store. */
export const clock: Clock = systemClock;
