/** Examples for the OpenAPI document. A test validates them. */
export const NEW_PAYMENT_EXAMPLE = {
  amount: '250.00',
  currency: 'USD',
  source: { object: 'card', name: 'Ann Example', number: '4242424242424242', cvc: '123', expMonth: 12, expYear: 2031 },
};

const byCard = (number: string): object => ({ ...NEW_PAYMENT_EXAMPLE, source: { ...NEW_PAYMENT_EXAMPLE.source, number } });
const fromAccount = (number: string): object => ({
  ...NEW_PAYMENT_EXAMPLE,
  source: { object: 'bank_account', name: 'Ann Example', number, sortCode: '000000', accountType: 'individual', country: 'gb' },
});

/** A payment with each number whose outcome the built-in gateway decides (contract 15.9). A test makes them. */
export const TEST_INSTRUMENTS = {
  'Card that succeeds': byCard('4242424242424242'),
  'Card that is declined': byCard('4000000000000002'),
  'Card with insufficient funds': byCard('4000000000009995'),
  'Card with a processing error': byCard('4000000000000119'),
  'Card that succeeds slowly': byCard('4000000000000259'),
  'Bank account that succeeds': fromAccount('000123456789'),
  'Bank account that fails': fromAccount('000111111116'),
};

const MASKED_SOURCE = {
  object: 'card',
  name: 'Ann Example',
  number: '************4242',
  brand: 'visa',
  last4: '4242',
  expMonth: 12,
  expYear: 2031,
};

const PAYMENT_ID = '0190a6b4-2e3f-7c56-9d2b-5f3c7e4a6b82';
const ORDER_ID = '0190a6b3-1d2f-7b45-8c1a-4e2b6d3f5a71';

export const PAYMENT_EXAMPLE = { id: PAYMENT_ID, amount: '250.00', currency: 'USD', source: MASKED_SOURCE, status: 'processing' };

export const RECEIPT_EXAMPLE = {
  receiptId: PAYMENT_ID,
  receiptUrl: `https://pets.example.com/v1/orders/${ORDER_ID}/receipt`,
  orderId: ORDER_ID,
  paymentId: PAYMENT_ID,
  amount: '250.00',
  currency: 'USD',
  source: MASKED_SOURCE,
  paidAt: '2026-01-02T03:04:06.789Z',
  generatedAt: '2026-01-02T03:04:06.912Z',
};
