/** Examples for the document of the classic variant. A test validates them. */
export const NEW_ORDER_EXAMPLE = { petId: 10, quantity: 1, shipDate: '2026-12-24T00:00:00.000Z' };

export const ORDER_EXAMPLE = { id: 11, ...NEW_ORDER_EXAMPLE, status: 'placed', complete: false };

export const INVENTORY_EXAMPLE = { available: 12, pending: 2, sold: 5 };
