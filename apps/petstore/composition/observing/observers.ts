import type { Tracing } from '../../../../libs/eventsourcing/ports/tracing.port.js';
import type { Metrics } from '../../../../libs/ports/metrics.port.js';

/** The metrics and the tracing of this process. Each is absent if it is off. */
export type Observers = { readonly metrics?: Metrics; readonly tracing?: Tracing };

/** Returns the observers that are on. Leaves out undefined members, which the type Observers does not permit. */
export const observersOf = ({
  metrics,
  tracing,
}: {
  readonly metrics?: Metrics | undefined;
  readonly tracing?: Tracing | undefined;
}): Observers => ({
  ...(metrics && { metrics }),
  ...(tracing && { tracing }),
});
