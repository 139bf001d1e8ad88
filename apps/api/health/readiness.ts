/** The result of a check. `shown` is for monitoring, for example the lag. */
export type Readiness =
  { readonly ready: true; readonly shown?: Readonly<Record<string, unknown>> } | { readonly ready: false; readonly reason: string };

/** A check that the service is ready. The response shows the reason. */
export type ReadinessCheck = { readonly name: string; readonly check: () => Readiness | Promise<Readiness> };
