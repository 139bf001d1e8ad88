/** What a worker process may be: any of these, several processes each. */
export const ROLES = ['projections', 'relay', 'consumers', 'deliveries', 'timers'] as const;
export type Role = (typeof ROLES)[number];
