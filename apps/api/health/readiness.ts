/** The result of a check. The response contains `details` or `reason`. */
export type Readiness =
  { readonly ready: true; readonly details?: Readonly<Record<string, unknown>> } | { readonly ready: false; readonly reason: string };

/** Checks whether a part of the service is ready. `name` identifies it in the response. */
export type ReadinessCheck = { readonly name: string; readonly check: () => Readiness | Promise<Readiness> };

/** A service that stops is not ready, so that proxies send new requests elsewhere (contract 26.4). */
export const untilStop = ({ name, check }: ReadinessCheck, isStopping: () => boolean): ReadinessCheck => ({
  name,
  check: () => (isStopping() ? { ready: false, reason: 'the service is stopping' } : check()),
});
