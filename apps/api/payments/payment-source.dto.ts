import { IsIn, IsInt, IsString, Matches, Max, Min } from 'class-validator';
import type { AccountHolder, CardHolder, PaymentInput } from '../../../libs/application/payments/payment.commands.js';
import type { PaymentInstrument } from '../../../libs/ports/payment-gateway.port.js';
import { AS_SENT, inputOf, NOT_IN_INPUT } from '../http/validation/input-mapping.js';
import { CardNumber, FreeText, Described, Documented, Optional, Schema } from '../http/validation/rules.js';

const COUNTRY = /^[a-z]{2}$/;
const COUNTRY_WORDING = 'must be a two-letter lower-case country code';
const ACCOUNT_NUMBER = /^[0-9A-Za-z]{4,34}$/;
const ACCOUNT_NUMBER_WORDING = 'must be 4 to 34 letters and digits';

@Documented('A payment card', 'Bank Card')
export class BankCard {
  @IsString()
  @IsIn(['card'])
  @Described('The kind of source: a card', 'card')
  readonly object!: 'card';

  @CardNumber()
  @Schema({
    description: 'The service passes the number to the payment gateway and does not store it. Responses show its last four digits',
    examples: ['4242424242424242'],
  })
  readonly number!: string;

  @IsInt()
  @Min(1)
  @Max(12)
  @Described('Month of expiry', 12)
  readonly expMonth!: number;

  @IsInt()
  @Min(2000)
  @Max(9999)
  @Described('Year of expiry. The card is valid until the end of the month of expiry', 2031)
  readonly expYear!: number;

  @Optional()
  @IsString()
  @Matches(/^\d{3,4}$/u, { message: 'must be 3 or 4 digits' })
  @Schema({
    writeOnly: true,
    description: 'The service passes the code to the payment gateway. It never stores or returns the code',
    examples: ['123'],
  })
  readonly cvc?: string;

  @Optional()
  @FreeText(1, 200)
  @Described('The holder', 'Ann Example')
  readonly name?: string;

  @Optional()
  @FreeText(0, 200)
  @Described('First line of the holder’s address', '1 High Street')
  readonly addressLine1?: string;

  @Optional()
  @FreeText(0, 200)
  @Described('Second line of the holder’s address')
  readonly addressLine2?: string;

  @Optional()
  @FreeText(0, 200)
  @Described('Town', 'London')
  readonly addressCity?: string;

  @Optional()
  @IsString()
  @Matches(COUNTRY, { message: COUNTRY_WORDING })
  @Described('Country, two lower-case letters', 'gb')
  readonly addressCountry?: string;

  @Optional()
  @FreeText(0, 20)
  @Described('Post code', 'N12 9XX')
  readonly addressPostCode?: string;
}

@Documented('A bank account', 'Bank Account')
export class BankAccount {
  @IsString()
  @IsIn(['bank_account'])
  @Described('The kind of source: a bank account', 'bank_account')
  readonly object!: 'bank_account';

  @IsString()
  @Matches(ACCOUNT_NUMBER, { message: ACCOUNT_NUMBER_WORDING })
  @Schema({
    description: 'The service passes the number to the payment gateway and does not store it. Responses show its last four characters',
    examples: ['000123456789'],
  })
  readonly number!: string;

  @Optional()
  @FreeText(1, 200)
  @Described('The holder', 'Ann Example')
  readonly name?: string;

  @Optional()
  @IsString()
  @Matches(/^[0-9-]{4,11}$/u, { message: 'must be digits and hyphens' })
  @Described('Sort code', '110000')
  readonly sortCode?: string;

  @Optional()
  @FreeText(1, 40)
  @Described('Kind of account', 'individual')
  readonly accountType?: string;

  @Optional()
  @FreeText(1, 200)
  @Described('The name of the bank', 'Starling Bank')
  readonly bankName?: string;

  @Optional()
  @IsString()
  @Matches(COUNTRY, { message: COUNTRY_WORDING })
  @Described('Country, two lower-case letters', 'gb')
  readonly country?: string;
}

/** A bank account with the field names of the API guide, which are also accepted (contract 15.7). */
@Documented('A bank account with the field names of the API guide, which are also accepted')
export class GuideBankAccount {
  @IsString()
  @IsIn(['bank_account'])
  @Schema({
    description: 'The kind of source: a bank account. bank_account is also accepted',
    examples: ['BANK_ACCOUNT'],
    documented: { enum: ['BANK_ACCOUNT'] },
  })
  readonly object!: 'bank_account';

  @IsString()
  @Matches(ACCOUNT_NUMBER, { message: ACCOUNT_NUMBER_WORDING })
  @Schema({
    description:
      'The service passes the number to the payment gateway and does not store it. ' +
      'Responses show its last four characters in the field `number`',
    examples: ['000123456789'],
  })
  readonly accountNumber!: string;

  @Optional()
  @IsString()
  @Matches(/^\d{9}$/u, { message: 'must be 9 digits' })
  @Described('The routing number. Responses show it in the field `sortCode`', '110000000')
  readonly routingNumber?: string;

  @Optional()
  @FreeText(1, 200)
  @Described('The holder of the account. Responses show the holder in the field `name`', 'Ann Example')
  readonly accountHolderName?: string;

  @Optional()
  @FreeText(1, 40)
  @Described('Kind of account', 'CHECKING')
  readonly accountType?: string;

  @Optional()
  @FreeText(1, 200)
  @Described('The name of the bank', 'Starling Bank')
  readonly bankName?: string;

  @Optional()
  @IsString()
  @Matches(COUNTRY, { message: COUNTRY_WORDING })
  @Described('Country, two lower-case letters', 'gb')
  readonly country?: string;
}

type Instrument<Kind extends PaymentInstrument['object']> = Extract<PaymentInstrument, { readonly object: Kind }>;

const cardInstrument = inputOf<BankCard, Instrument<'card'>>({
  object: AS_SENT,
  number: AS_SENT,
  expMonth: AS_SENT,
  expYear: AS_SENT,
  cvc: AS_SENT,
  name: NOT_IN_INPUT,
  addressLine1: NOT_IN_INPUT,
  addressLine2: NOT_IN_INPUT,
  addressCity: NOT_IN_INPUT,
  addressCountry: NOT_IN_INPUT,
  addressPostCode: NOT_IN_INPUT,
});

const cardHolder = inputOf<BankCard, CardHolder>({
  name: AS_SENT,
  addressLine1: AS_SENT,
  addressLine2: AS_SENT,
  addressCity: AS_SENT,
  addressCountry: AS_SENT,
  addressPostCode: AS_SENT,
  object: NOT_IN_INPUT,
  number: NOT_IN_INPUT,
  expMonth: NOT_IN_INPUT,
  expYear: NOT_IN_INPUT,
  cvc: NOT_IN_INPUT,
});

const accountInstrument = inputOf<BankAccount, Instrument<'bank_account'>>({
  object: AS_SENT,
  number: AS_SENT,
  sortCode: AS_SENT,
  name: NOT_IN_INPUT,
  accountType: NOT_IN_INPUT,
  bankName: NOT_IN_INPUT,
  country: NOT_IN_INPUT,
});

const accountHolder = inputOf<BankAccount, AccountHolder>({
  name: AS_SENT,
  accountType: AS_SENT,
  bankName: AS_SENT,
  country: AS_SENT,
  object: NOT_IN_INPUT,
  number: NOT_IN_INPUT,
  sortCode: NOT_IN_INPUT,
});

/** Maps an account with the field names of the API guide to BankAccount. */
const accountOfGuide = inputOf<GuideBankAccount, BankAccount>({
  object: AS_SENT,
  number: ({ accountNumber }) => accountNumber,
  sortCode: ({ routingNumber }) => routingNumber,
  name: ({ accountHolderName }) => accountHolderName,
  accountType: AS_SENT,
  bankName: AS_SENT,
  country: AS_SENT,
  accountNumber: NOT_IN_INPUT,
  routingNumber: NOT_IN_INPUT,
  accountHolderName: NOT_IN_INPUT,
});

/**
 * Splits a source into the instrument and the holder. The instrument is secret: only the payment gateway gets it. The
 * holder is stored (contract 15.8).
 */
export const sourceInput = (source: BankCard | BankAccount | GuideBankAccount): Pick<PaymentInput, 'instrument' | 'holder'> => {
  if (source.object === 'card') return { instrument: cardInstrument(source), holder: cardHolder(source) };
  const account = 'accountNumber' in source ? accountOfGuide(source) : source;
  return { instrument: accountInstrument(account), holder: accountHolder(account) };
};
