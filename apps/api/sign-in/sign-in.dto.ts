import { IsIn, IsString } from 'class-validator';
import { Characters, DateTime, Described, Documented, Schema } from '../http/validation/rules.js';

/** The body of a sign-in. */
@Documented('A username and its password')
export class SignInBody {
  @Characters(1, 254)
  @Described('The username of the account', 'ann')
  readonly username!: string;

  // A keyboard may write a character of a password as up to four. The hasher joins them (contract 30.3).
  @Characters(1, 512)
  @Schema({
    writeOnly: true,
    description: 'The password of the account; never stored, never returned',
    examples: ['correct horse battery'],
  })
  readonly password!: string;
}

/** The response to a sign-in. */
@Documented('An access token')
export class AccessToken {
  @IsString()
  @Schema({ readOnly: true, description: 'The token for the header Authorization' })
  readonly token!: string;

  @IsString()
  @IsIn(['Bearer'])
  @Schema({ description: 'The scheme of the header Authorization' })
  readonly tokenType!: 'Bearer';

  @DateTime()
  @Schema({ readOnly: true, description: 'When the token expires' })
  readonly expiresAt!: string;
}
