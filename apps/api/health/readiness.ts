/** The result of a check. The response contains `details` or `reason`. */
export type Readiness =
  { readonly ready: true; readonly details?: Readonly<Record<string, unknown>> } | { readonly ready: false; readonly reason: string };

/** Checks whether a part of the service is ready. `name` identifies it in the response. */
export type ReadinessCheck = { readonly name: string; readonly check: () => Readiness | Promise<Readiness> };
