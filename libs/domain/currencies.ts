/**
 * The currencies of prices, payments and callbacks: List One of ISO 4217 as of 2026-01-01 (amendment 180, which
 * withdrew BGN). The service excludes codes that are not means of payment: funds (BOV, CHE, CHW, CLF, COU, MXV,
 * USN, UYI, UYW), units of account (XAD, XDR, XSU, XUA, XBA to XBD), metals (XAG, XAU, XPD, XPT), XTS and
 * XXX.
 */
export const CURRENCIES: readonly string[] = `
  AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY COP CRC
  CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR
  ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK
  MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE
  SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD XCG XOF
  XPF YER ZAR ZMW ZWG
`
  .trim()
  .split(/\s+/);

const CODES: ReadonlySet<string> = new Set(CURRENCIES);

/** Whether the service accepts the currency with this code. */
export const isCurrency = (code: string): boolean => CODES.has(code);

/** The currencies without a minor unit in ISO 4217. Other currencies have two or three decimals. */
const WITHOUT_DECIMALS: ReadonlySet<string> = new Set('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '));

/** Whether a currency has amounts with decimals other than zeros. */
export const hasDecimals = (currency: string): boolean => !WITHOUT_DECIMALS.has(currency);
