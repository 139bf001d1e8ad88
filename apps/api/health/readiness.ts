export type Readiness = { readonly ready: true } | { readonly ready: false; readonly reason: string };

/** One thing the service needs to do its work. The reason is shown to outsiders. */
export type ReadinessCheck = { readonly name: string; readonly check: () => Readiness | Promise<Readiness> };
