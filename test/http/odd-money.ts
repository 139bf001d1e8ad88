import { card, CARDS } from './shop.js';

/**
 * Invalid amounts. The valid form is digits without a leading zero, a point and two digits (contract 3.6).
 */
export const ODD_AMOUNTS: readonly string[] = [
  ...['', ' ', '0', '1', '250', '1.', '.50', '1.5', '1.555', '0.001', '1.0.0', '1..00', '1.00.', '1.00,', '0.-1'],
  ...['1,00', '1.000,00', '1,000.00', '1 000.00', '1_000.00', "1'000.00", '1:00', '1/2', '(1.00)', '1.00%', '1.00+1.00'],
  ...['+1.00', '-1.00', '--1.00', '-0.00', '\u22121.00', '1e3', '1E2', '1.00e0', '1e-2', '0x10', '0x1.00', '0b1.00', '0o7.00'],
  ...['00.00', '01.00', '007.00', '0250.00', '0000000001.00', '000000000000.00'],
  ...[' 1.00', '1.00 ', '\t1.00', '1.00\n', '1.00\r\n', '1 .00', '\u00a01.00', '1.00\u3000', '1\u200b.00', '\ufeff1.00', '1.00\u0000'],
  ...['１.00', '1．00', '1.0０', '１２.００', '١.٠٠', '१.००', '𝟏.𝟎𝟎', '½', '①.00', 'Ⅰ.00', 'l.00', '1.OO'],
  ...['$1.00', '€1.00', '1.00 USD', 'USD 1.00', 'NaN', 'Infinity', '-Infinity', 'null', 'true', 'one', '{{1.00}}', "1.00' OR '1'='1"],
  ...[`${'9'.repeat(13)}.00`, `${'9'.repeat(400)}.00`, `1.${'0'.repeat(400)}`],
];

/** Values that are not texts. null is none of them: it is absence (contract 3.8). */
export const NOT_TEXTS: readonly unknown[] = [0, 1, 1.5, 250, -1, 1e21, true, false, [], ['1.00'], {}, { value: '1.00' }];

/** Valid prices and amounts, also at the limits. */
export const GOOD_PRICES = ['0.00', '0.01', '0.10', '1.00', '10.00', '9999999999.99', '1000000000.00', '1234567890.05'] as const;
export const GOOD_AMOUNTS = [...GOOD_PRICES, '10000000000.00', '999999999999.99'] as const;

/** Invalid currencies: unknown, withdrawn, or not for payments (contract 3.7). */
export const ODD_CURRENCIES: readonly string[] = [
  ...['', ' ', 'U', 'US', 'USDD', 'USX', 'XYZ', 'AAA', 'dollar', '$', '€', '840', '978', 'null', 'US$', 'U.S', 'usd/eur', 'USD,EUR'],
  ...['HRK', 'hrk', 'BGN', 'ANG', 'CUC', 'SLL', 'ZWL', 'DEM', 'FRF', 'LTL', 'VEF', 'MRO', 'STD', 'BYR', 'TRL', 'ROL'],
  ...['XXX', 'XTS', 'XAU', 'XAG', 'XPT', 'XPD', 'XBA', 'XDR', 'XSU', 'XUA', 'XAD', 'CHE', 'CHW', 'CLF', 'USN', 'COU', 'MXV', 'BTC'],
  ...['USD ', ' USD', 'U SD', 'USD\n', '\tUSD', 'U\u200bSD', '\ufeffUSD', 'USD\u0000', 'US\u0301D'],
  // Letters that become ASCII letters in upper or lower case, or only look like them.
  ...['u\u017fd', 'CHF\u017f', '\u0131NR', '\u0130NR', '\u212aRW', 'ＵＳＤ', 'UЅD', 'ЕUR', 'EUᎡ', '𝐔𝐒𝐃', 'ⓊⓈⒹ'],
];
/** Valid currencies. */
export const GOOD_CURRENCIES = [
  'USD',
  'usd',
  'uSd',
  'EUR',
  'VED',
  'ved',
  'XCG',
  'ZWG',
  'SLE',
  'XOF',
  'XCD',
  'JPY',
  'BHD',
  'KRW',
  'INR',
] as const;

/** Invalid card numbers. */
export const ODD_NUMBERS: readonly string[] = [
  ...Array.from(
    '4242424242424242',
    (digit, place) => `4242424242424242`.slice(0, place) + ((Number(digit) + 1) % 10) + '4242424242424242'.slice(place + 1),
  ),
  ...['', ' ', '4', '42', '42424242424', '42424242424242424242', '4'.repeat(400)],
  ...['************4242', '4242********4242', 'XXXXXXXXXXXX4242', '424242******4242'],
  ...['4242 4242 4242 4242', '4242-4242-4242-4242', '4242.4242.4242.4242', ' 4242424242424242', '4242424242424242 ', '4242424242424242\n'],
  ...['+4242424242424242', '-4242424242424242', '4242424242424242.0', '4.242424242424242e15', '0xF12345678901', '4242424242424242n'],
  ...[
    '４２４２４２４２４２４２４２４２',
    '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢',
    '424242424242424२',
    '4242\u200b424242424242',
    '\ufeff4242424242424242',
    '4242424242424242\u0000',
  ],
  ...['42424242424242O2', '4242424242424l42', 'card', 'null', "4242424242424242' --"],
];

/** Cards with a valid number and one invalid field. */
export const ODD_CARDS: readonly (readonly [fields: object, field: string])[] = [
  ...['', '1', '12', '12345', 'abc', '12a', ' 123', '123 ', '123\n', '１２３', '٣٣٣', '-12', '1.2', '1e2', '***'].map(
    (cvc) => [{ cvc }, 'source.cvc'] as const,
  ),
  ...[123, 0, true, ['123'], {}].map((cvc) => [{ cvc }, 'source.cvc'] as const),
  ...[0, 13, -1, 1.5, 1e9, '12', '1', '', 'Dec', true, null, [12]].map((expMonth) => [{ expMonth }, 'source.expMonth'] as const),
  ...[0, 35, 99, 1999, 10_000, -2035, 2035.5, 1e300, '2035', '35', '', true, null, [2035]].map(
    (expYear) => [{ expYear }, 'source.expYear'] as const,
  ),
  ...['a\ud800', '\udfff', '\ude00\ud83d'].map((name) => [{ name }, 'source.name'] as const),
  ...['\ud800'].map((addressCity) => [{ addressCity }, 'source.addressCity'] as const),
  ...['GB', 'gbr', 'g', '', 'ｇｂ', 'g\u0432', 44].map((addressCountry) => [{ addressCountry }, 'source.addressCountry'] as const),
];

const ACCOUNT = { object: 'bank_account', number: '000123456789' };
const GUIDE_ACCOUNT = { object: 'BANK_ACCOUNT', accountNumber: '000123456789' };

/** Invalid sources, each with its invalid field. Many have an unknown `object`, or mix fields of several documented shapes. */
export const ODD_SOURCES: readonly (readonly [source: unknown, field: string])[] = [
  ...[
    'card ',
    ' card',
    'cards',
    'credit_card',
    'ＣＡＲＤ',
    'card\u0000',
    'сard',
    'BAN\u212a_ACCOUNT',
    'ban\u212a-account',
    'bank account',
    'bankaccount',
    '',
    'null',
  ].map((object) => [{ ...card(), object }, 'source.object'] as const),
  ...[1, true, null, [], ['card'], {}].map((object) => [{ ...card(), object }, 'source.object'] as const),
  ...[null, 'card', 42, true, [], [card()]].map((source) => [source, 'source'] as const),
  [card(CARDS.good, { accountNumber: '000123456789' }), 'source.accountNumber'],
  [card(CARDS.good, { routingNumber: '110000000' }), 'source.routingNumber'],
  [card(CARDS.good, { sortCode: '110000' }), 'source.sortCode'],
  [card(CARDS.good, { bankName: 'Bank' }), 'source.bankName'],
  [card(CARDS.good, { accountHolderName: 'Ada' }), 'source.accountHolderName'],
  [{ ...ACCOUNT, cvc: '123' }, 'source.cvc'],
  [{ ...ACCOUNT, expMonth: 12 }, 'source.expMonth'],
  [{ ...ACCOUNT, addressCity: 'London' }, 'source.addressCity'],
  [{ ...ACCOUNT, accountNumber: '000123456789' }, 'source.number'],
  [{ ...ACCOUNT, accountHolderName: 'Ada' }, 'source.number'],
  [{ ...ACCOUNT, routingNumber: '110000000' }, 'source.number'],
  [{ ...GUIDE_ACCOUNT, sortCode: '110000' }, 'source.sortCode'],
  [{ ...GUIDE_ACCOUNT, name: 'Ada' }, 'source.name'],
  [{ ...GUIDE_ACCOUNT, cvc: '123' }, 'source.cvc'],
  [{ ...GUIDE_ACCOUNT, routingNumber: '11000000' }, 'source.routingNumber'],
  [{ ...GUIDE_ACCOUNT, routingNumber: '１１０００００００' }, 'source.routingNumber'],
  [{ ...ACCOUNT, number: '000 123 456' }, 'source.number'],
  [{ ...ACCOUNT, number: '123' }, 'source.number'],
  [{ ...ACCOUNT, number: '１２３４５' }, 'source.number'],
  [{ ...ACCOUNT, number: 123456789 }, 'source.number'],
  [{ ...ACCOUNT, sortCode: '11/00/00' }, 'source.sortCode'],
];
