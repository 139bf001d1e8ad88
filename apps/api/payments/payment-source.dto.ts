import { IsIn, IsInt, IsString, Matches, Max, Min } from 'class-validator';
import { CardNumber, Characters, Described, Optional, Schema } from '../http/validation/rules.js';

const COUNTRY = /^[a-z]{2}$/;
const COUNTRY_WORDING = 'must be a two-letter lower-case country code';
const ACCOUNT_NUMBER = /^[0-9A-Za-z]{4,34}$/;
const ACCOUNT_NUMBER_WORDING = 'must be 4 to 34 letters and digits';

/** A card to pay with. */
export class BankCard {
  @IsString()
  @IsIn(['card'])
  @Described('Says that this is a card', 'card')
  readonly object!: 'card';

  @CardNumber()
  @Schema({ description: 'Given to the payment gateway and kept nowhere; shown with its last four digits', examples: ['4242424242424242'] })
  readonly number!: string;

  @IsInt()
  @Min(1)
  @Max(12)
  @Described('Month of expiry', 12)
  readonly expMonth!: number;

  @IsInt()
  @Min(2000)
  @Max(9999)
  @Described('Year of expiry; the card is good to the end of its month', 2031)
  readonly expYear!: number;

  @Optional()
  @IsString()
  @Matches(/^\d{3,4}$/, { message: 'must be 3 or 4 digits' })
  @Schema({ writeOnly: true, description: 'Given to the payment gateway; never kept, never returned', examples: ['123'] })
  readonly cvc?: string;

  @Optional()
  @Characters(1, 200)
  @Described('Holder', 'Ann Example')
  readonly name?: string;

  @Optional()
  @Characters(0, 200)
  @Described('First line of the address', '1 High Street')
  readonly addressLine1?: string;

  @Optional()
  @Characters(0, 200)
  @Described('Second line of the address')
  readonly addressLine2?: string;

  @Optional()
  @Characters(0, 200)
  @Described('Town', 'London')
  readonly addressCity?: string;

  @Optional()
  @IsString()
  @Matches(COUNTRY, { message: COUNTRY_WORDING })
  @Described('Country', 'gb')
  readonly addressCountry?: string;

  @Optional()
  @Characters(0, 20)
  @Described('Post code', 'N12 9XX')
  readonly addressPostCode?: string;
}

/** A bank account to pay with. */
export class BankAccount {
  @IsString()
  @IsIn(['bank_account'])
  @Described('Says that this is a bank account', 'bank_account')
  readonly object!: 'bank_account';

  @IsString()
  @Matches(ACCOUNT_NUMBER, { message: ACCOUNT_NUMBER_WORDING })
  @Schema({ description: 'Given to the payment gateway and kept nowhere; shown with its last four digits', examples: ['000123456789'] })
  readonly number!: string;

  @Optional()
  @Characters(1, 200)
  @Described('Holder', 'Ann Example')
  readonly name?: string;

  @Optional()
  @IsString()
  @Matches(/^[0-9-]{4,11}$/, { message: 'must be digits and hyphens' })
  @Described('Sort code', '110000')
  readonly sortCode?: string;

  @Optional()
  @Characters(1, 40)
  @Described('Kind of account', 'individual')
  readonly accountType?: string;

  @Optional()
  @Characters(1, 200)
  @Described('Bank', 'Starling Bank')
  readonly bankName?: string;

  @Optional()
  @IsString()
  @Matches(COUNTRY, { message: COUNTRY_WORDING })
  @Described('Country', 'gb')
  readonly country?: string;
}

/** A bank account as the guide text writes it. */
export class GuideBankAccount {
  @IsString()
  @IsIn(['bank_account'])
  @Described('Says that this is a bank account; BANK_ACCOUNT is read too', 'bank_account')
  readonly object!: 'bank_account';

  @IsString()
  @Matches(ACCOUNT_NUMBER, { message: ACCOUNT_NUMBER_WORDING })
  @Schema({
    description: 'Given to the payment gateway and kept nowhere; shown as number, with its last four digits',
    examples: ['000123456789'],
  })
  readonly accountNumber!: string;

  @Optional()
  @IsString()
  @Matches(/^\d{9}$/, { message: 'must be 9 digits' })
  @Described('Shown as sortCode', '110000000')
  readonly routingNumber?: string;

  @Optional()
  @Characters(1, 200)
  @Described('Shown as name', 'Ann Example')
  readonly accountHolderName?: string;

  @Optional()
  @Characters(1, 40)
  @Described('Kind of account', 'CHECKING')
  readonly accountType?: string;

  @Optional()
  @Characters(1, 200)
  @Described('Bank', 'Starling Bank')
  readonly bankName?: string;

  @Optional()
  @IsString()
  @Matches(COUNTRY, { message: COUNTRY_WORDING })
  @Described('Country', 'gb')
  readonly country?: string;
}
