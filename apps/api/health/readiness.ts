/** `shown` is for monitoring: the lag, and what is down although the service still works. */
export type Readiness =
  { readonly ready: true; readonly shown?: Readonly<Record<string, unknown>> } | { readonly ready: false; readonly reason: string };

/** One thing the service needs to do its work. The reason is shown to outsiders. */
export type ReadinessCheck = { readonly name: string; readonly check: () => Readiness | Promise<Readiness> };
