import { statSync } from 'node:fs';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.js';
import { caller, type Call } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { startServiceProcess, tokenFor, type ServiceProcess } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';
import { canariesIn, canariesUnder, filesUnder, type Canary } from '../servers/canaries.js';

/** A card number that passes the Luhn check, but that no bank has issued. */
const CARD = '4929184736501828';
const ACCOUNT = '00938475610284';
const GUIDE_ACCOUNT = '77120984356611';
/** A card number that fails the Luhn check. The problem that rejects it must not contain it. */
const MISTYPED_CARD = '4929184736501820';
const CVC = '9173';
const WRONG_CVC = 'cvc-canary-61830';
const HOLDER = 'Ottoline Zwickelberg';
const STREET = '47 Quagmire Crescent';
const STREET_2 = 'Annexe Xylophone';
const CITY = 'Umbrellahaven';
const POST_CODE = 'QX81 7ZZ';
const BANK = 'Zephyrine Savings Bank';
const SORT_CODE = '83-61-94';
const PASSWORD = 'Pa55word-canary-20718';
const USERNAME = 'quixotilda.marrowfat';
const EMAIL = 'quixotilda@umbrellahaven.example';
const PHONE = '+3299871240653';
const WEBHOOK_SECRET = 'whsec_Y2FuYXJ5LXNlY3JldC01NTE3Mg';
const WRONG_TOKEN = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJjYW5hcnktMzM5MSJ9.canary';

/** Texts that are never stored (contract 23.8). */
const NEVER_STORED: readonly Canary[] = [
  { what: 'the card number', text: CARD },
  { what: 'the mistyped card number', text: MISTYPED_CARD },
  { what: 'the account number', text: ACCOUNT },
  { what: "the guide's account number", text: GUIDE_ACCOUNT },
  // Any file may contain these four digits by chance, so the search is for the JSON string.
  { what: 'the cvc', text: `"${CVC}"` },
  { what: 'the wrong cvc', text: WRONG_CVC },
  { what: 'the password', text: PASSWORD },
  { what: 'the webhook secret', text: WEBHOOK_SECRET },
  { what: 'the wrong token', text: WRONG_TOKEN },
];

/** Texts that are stored only in encrypted form (contract 23.7). */
const NEVER_IN_PLAIN_TEXT: readonly Canary[] = [
  { what: "the holder's name", text: HOLDER },
  { what: 'the street', text: STREET },
  { what: 'the second line', text: STREET_2 },
  { what: 'the city', text: CITY },
  { what: 'the post code', text: POST_CODE },
  { what: 'the bank', text: BANK },
  { what: 'the sort code', text: SORT_CODE },
  { what: 'the username', text: USERNAME },
  { what: 'the email address', text: EMAIL },
  { what: 'the phone number', text: PHONE },
];

const card = (changes: object = {}) => ({
  object: 'card',
  number: CARD,
  cvc: CVC,
  expMonth: 11,
  expYear: 2091,
  name: HOLDER,
  addressLine1: STREET,
  addressLine2: STREET_2,
  addressCity: CITY,
  addressCountry: 'gb',
  addressPostCode: POST_CODE,
  ...changes,
});
const account = { object: 'bank_account', number: ACCOUNT, sortCode: SORT_CODE, name: HOLDER, bankName: BANK, country: 'gb' };
const guideAccount = {
  object: 'BANK_ACCOUNT',
  accountNumber: GUIDE_ACCOUNT,
  accountHolderName: HOLDER,
  bankName: BANK,
  accountType: 'CHECKING',
};

const payment = (source: object, changes: object = {}) => ({ amount: '12.00', currency: 'EUR', source, ...changes });

const placeOrder = async (call: Call): Promise<string> => {
  const pet = await call('POST', '/v1/pets', { body: { name: 'Any', species: 'DOG', ageMonths: 1 } });
  const order = await call('POST', '/v1/orders', { body: { petId: pet.json['id'] } });
  expect(order.status).toBe(201);
  return String(order.json['id']);
};

const payForOrder = async (call: Call, source: object, idempotencyKey?: string): Promise<string> => {
  const path = `/v1/orders/${await placeOrder(call)}/payment`;
  const options = { body: payment(source), ...(idempotencyKey !== undefined && { idempotencyKey }) };
  const { status, text } = await call('POST', path, options);
  expect([status, text]).toEqual([201, expect.any(String)]);
  return path;
};

/** Payments that must be rejected, with secrets in the request: a description, the status, the body and the headers. */
const REJECTED_PAYMENTS: readonly (readonly [string, number, object | string, Readonly<Record<string, string>>?])[] = [
  ['a number of the wrong type', 422, payment(card({ number: Number(CARD) }))],
  ['a number that fails Luhn', 422, payment(card({ number: MISTYPED_CARD }))],
  ['an invalid cvc', 422, payment(card({ cvc: WRONG_CVC }))],
  ['a card that has expired', 422, payment(card({ expYear: 2001 }))],
  ['the number where the amount should be', 422, payment(card(), { amount: CARD })],
  ['the number where the currency should be', 422, payment(card(), { currency: CARD })],
  ['the number where the kind should be', 422, payment(card({ object: CARD }))],
  ['the number where the source should be', 422, payment([CARD])],
  ['an unknown property with a password', 422, payment(card(), { password: PASSWORD })],
  ['an unknown property with a secret', 422, payment(card({ secret: WEBHOOK_SECRET }))],
  ['truncated JSON', 400, JSON.stringify(payment(card())).slice(0, -2)],
  ['JSON that is invalid after the number', 400, `{"source":{"number":${CARD}${HOLDER}`],
  ['another content type', 415, `number=${CARD}&cvc=${WRONG_CVC}&name=${HOLDER}`, { 'content-type': 'application/x-www-form-urlencoded' }],
];

/** Creates, changes and erases accounts with secrets, and sends secrets in two requests that must be rejected. */
const sendSecretsOfAccounts = async (call: Call, idempotencyKey: string): Promise<void> => {
  const user = { username: USERNAME, email: EMAIL, phone: PHONE, password: PASSWORD, firstName: HOLDER, lastName: STREET };
  const created = await call('POST', '/v1/users', { body: user, idempotencyKey });
  expect([created.status, created.text.includes(PASSWORD)]).toEqual([201, false]);
  expect((await call('POST', '/v1/users', { body: user })).status).toBe(409);
  expect((await call('POST', '/v1/users', { body: { ...user, phone: `card ${CARD}` } })).status).toBe(422);
  const path = `/v1/users/${String(created.json['id'])}`;
  const changed = await call('PUT', path, { body: { password: `${PASSWORD}-2`, lastName: CITY } });
  expect([changed.status, changed.text.includes(PASSWORD)]).toEqual([200, false]);
  expect((await call('DELETE', path)).status).toBe(204);
  const again = await call('POST', '/v1/users', { body: user });
  expect([again.status, (await call('DELETE', `/v1/users/${String(again.json['id'])}`)).status]).toEqual([201, 204]);
};

/** Sends secrets in every request that accepts them, and in requests that must reject them. */
const sendSecrets = async (call: Call, idempotencyKey: string): Promise<void> => {
  const path = await payForOrder(call, card(), idempotencyKey);
  // With the same key, the same body gets the replayed response, and another body is rejected (contract 9.2 and contract 9.3).
  expect((await call('POST', path, { body: payment(card()), idempotencyKey })).status).toBe(201);
  expect((await call('POST', path, { body: payment(card(), { amount: '13.00' }), idempotencyKey })).status).toBe(422);
  await payForOrder(call, account);
  await payForOrder(call, guideAccount);
  const order = await placeOrder(call);
  for (const [what, status, body, headers = {}] of REJECTED_PAYMENTS) {
    const options = typeof body === 'string' ? { raw: body, headers } : { body, headers };
    const response = await call('POST', `/v1/orders/${order}/payment`, options);
    expect([what, response.status]).toEqual([what, status]);
    expect(canariesIn('a response', Buffer.from(response.text), [...NEVER_STORED, ...NEVER_IN_PLAIN_TEXT])).toEqual([]);
  }
  expect((await call('POST', '/v1/orders/0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60/payment', { body: payment(card()) })).status).toBe(404);
  expect((await call('GET', '/v1/inventories', { token: WRONG_TOKEN })).status).toBe(401);
  const pet = { name: 'Any', species: 'DOG', ageMonths: 1 };
  expect((await call('POST', '/v1/pets', { body: { ...pet, secret: WEBHOOK_SECRET, number: CARD } })).status).toBe(422);
  expect((await call('POST', '/v1/orders', { body: { petId: CARD, quantity: 1 } })).status).toBe(422);
  expect((await call('PUT', `/v1/pets/${order}`, { raw: `{"password":"${PASSWORD}",` })).status).toBe(400);
  await sendSecretsOfAccounts(call, idempotencyKey);
};

const TRACE = { LOG_LEVEL: 'trace' };

const waitUntilSettled = (call: Call, path: string) =>
  eventually('the payment to be settled', async () => (await call('GET', path)).json['status'] === 'succeeded');

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

/** Proves contract 4.7, contract 15.8, contract 23.7 and contract 23.8. */
describe('secret data of payers and users', () => {
  it('is in no file and no output while the service runs, after a kill and after a stop', async () => {
    const dataDir = newFolder();
    const services: ServiceProcess[] = [];
    const open = async (): Promise<ServiceProcess> => {
      const service = await startServiceProcess({ dataDir, env: TRACE });
      services.push(service);
      return service;
    };
    const running = await open();
    const token = await tokenFor(dataDir);
    const canaries = [
      ...NEVER_STORED,
      ...NEVER_IN_PLAIN_TEXT,
      { what: 'the token', text: token },
      { what: "the token's signature", text: token.split('.')[2] ?? token },
    ];
    const found = (): readonly string[] => [
      ...canariesUnder(dataDir, canaries),
      ...services.flatMap((service) => canariesIn('the output', Buffer.from(service.stdout() + service.stderr()), canaries)),
    ];

    const call = caller(running.url, token);
    await sendSecrets(call, 'once');
    await waitUntilSettled(call, await payForOrder(call, card()));
    expect(found()).toEqual([]);
    await running.kill9();
    expect(found()).toEqual([]);

    const again = await open();
    await sendSecrets(caller(again.url, token), 'again');
    await again.stop();
    expect(found()).toEqual([]);
    // Proves that the search works: the output has log lines, and the search finds a stored text.
    expect(running.stderr().length).toBeGreaterThan(1_000);
    expect(canariesUnder(dataDir, [{ what: 'the last four digits', text: CARD.slice(-4).padStart(16, '*') }])).not.toEqual([]);
  });

  it('is in a folder that only its owner can read', async () => {
    const dataDir = newFolder();
    const service = await startServiceProcess({ dataDir });
    const open = [dataDir, ...filesUnder(dataDir).map(([path]) => path)].filter((path) => (statSync(path).mode & 0o077) !== 0);
    expect(open).toEqual([]);
    await service.stop();
  });
});
