/** A page with a delivery whose receiver has not answered yet. */
export const OPERATORS_DELIVERIES_EXAMPLE = {
  data: [
    {
      id: '0190a6b7-5e6f-5a89-8c2d-7d2e6f0a7b15',
      tenant: 'shared',
      webhookId: '0190a6b5-3c4d-7e67-8f80-6bad4e8f5093',
      eventId: '0190a6b6-4d5e-5f78-9a91-7cbe5f906104',
      eventType: 'order.statusChanged',
      stream: 'order-0190a6b3-1a2b-7c45-8d6e-4f8b2c6d3e91',
      revision: 2,
      status: 'pending',
      createdAt: '2026-01-02T03:04:05.700Z',
      nextAttemptAt: '2026-01-02T03:04:10.912Z',
      attempts: [
        { at: '2026-01-02T03:04:05.912Z', url: 'https://shop.example.com/webhooks', durationMilliseconds: 5000, fault: 'timed_out' },
      ],
    },
  ],
  next: null,
} as const;
