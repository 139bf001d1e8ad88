/** An order that is paid and not approved. */
export const STUCK_LIST_EXAMPLE = {
  count: 1,
  isComplete: true,
  kinds: [{ kind: 'order-not-approved', count: 1, oldest: '2026-01-02T03:04:05.678Z' }],
  items: [
    {
      kind: 'order-not-approved',
      tenant: 'shared',
      since: '2026-01-02T03:04:05.678Z',
      stream: 'order-0190a6b3-1a2b-7c45-8d6e-4f8b2c6d3e91',
      related: ['payment-0190a6b4-2b3c-7d56-9e7f-5a9c3d7e4f82'],
      cause: 'parked',
      why: 'processes has parked payment-0190a6b4-2b3c-7d56-9e7f-5a9c3d7e4f82 at revision 1: the price has no currency',
      helps: 'install a release that handles the event, then: petstore retry processes payment-0190a6b4-2b3c-7d56-9e7f-5a9c3d7e4f82',
    },
  ],
} as const;
