import { IsIn, IsInt, IsString, Max, Min } from 'class-validator';
import { Described, Documented, Optional } from '../http/validation/rules.js';
import { kindsBy } from '../http/validation/schemas.js';

/** The representation of a card in responses (contract 15.5, 15.8). */
@Documented('A card that pays an order, with a masked number')
export class MaskedBankCard {
  @IsString()
  @IsIn(['card'])
  @Described('The kind of source: a card', 'card')
  readonly object!: 'card';

  @Optional()
  @IsString()
  @Described('The holder', 'Ann Example')
  readonly name?: string;

  @IsString()
  @Described('The number, masked to its last four digits', '************4242')
  readonly number!: string;

  @IsString()
  @Described('The brand of the card, or `unknown`', 'visa')
  readonly brand!: string;

  @IsString()
  @Described('The last four digits', '4242')
  readonly last4!: string;

  @IsInt()
  @Min(1)
  @Max(12)
  @Described('Month of expiry', 12)
  readonly expMonth!: number;

  @IsInt()
  @Min(2000)
  @Max(9999)
  @Described('Year of expiry', 2031)
  readonly expYear!: number;

  @Optional()
  @IsString()
  @Described('First line of the holder’s address', '1 High Street')
  readonly addressLine1?: string;

  @Optional()
  @IsString()
  @Described('Second line of the holder’s address', 'Flat 2')
  readonly addressLine2?: string;

  @Optional()
  @IsString()
  @Described('Town', 'London')
  readonly addressCity?: string;

  @Optional()
  @IsString()
  @Described('Country, two lower-case letters', 'gb')
  readonly addressCountry?: string;

  @Optional()
  @IsString()
  @Described('Post code', 'N12 9XX')
  readonly addressPostCode?: string;
}

/** The representation of a bank account in responses (contract 15.6, 15.8). */
@Documented('A bank account that pays an order, with a masked number')
export class MaskedBankAccount {
  @IsString()
  @IsIn(['bank_account'])
  @Described('The kind of source: a bank account', 'bank_account')
  readonly object!: 'bank_account';

  @Optional()
  @IsString()
  @Described('The holder', 'Ann Example')
  readonly name?: string;

  @IsString()
  @Described('The number, masked to its last four characters', '********6789')
  readonly number!: string;

  @Optional()
  @IsString()
  @Described('Sort code', '110000')
  readonly sortCode?: string;

  @Optional()
  @IsString()
  @Described('Type of account', 'individual')
  readonly accountType?: string;

  @Optional()
  @IsString()
  @Described('The name of the bank', 'Starling Bank')
  readonly bankName?: string;

  @Optional()
  @IsString()
  @Described('Country, two lower-case letters', 'gb')
  readonly country?: string;
}

/** The representation of a payment source in responses. */
export type MaskedSourceBody = MaskedBankCard | MaskedBankAccount;

/** The schema of a source in a response. */
@Documented(
  'A payment source with a masked number. Its field `object` names its kind',
  'Masked Payment Source',
  kindsBy('object', { card: 'MaskedBankCard', bank_account: 'MaskedBankAccount' }),
)
export class MaskedPaymentSource {
  @IsString()
  @Described('The kind of source', 'card')
  readonly object!: string;
}
