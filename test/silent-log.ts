import type { Log } from '../libs/eventsourcing/ports/log.port.js';

/** A log for tests and benchmarks that ignores every line. */
export const silentLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
