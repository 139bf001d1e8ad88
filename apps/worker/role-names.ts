/** The roles of workers. A process has one or more roles, and a role may have several processes. */
export const ROLES = ['projections', 'relay', 'consumers', 'deliveries', 'timers'] as const;
export type Role = (typeof ROLES)[number];
