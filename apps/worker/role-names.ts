/** The roles of workers. A worker runs one or more roles, and several workers may run the same role. */
export const ROLES = ['projections', 'relay', 'consumers', 'deliveries', 'timers'] as const;
export type Role = (typeof ROLES)[number];
