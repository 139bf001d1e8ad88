import { IsArray, IsBoolean, IsIn, IsString, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import { Pagination } from '../../http/collection.dto.js';
import { ROTATED_KINDS } from '../../../../libs/application/keys/key.commands.js';
import { DateTime, Described, Documented, Nested, Optional, Schema } from '../../http/validation/rules.js';

const STATUSES = ['announced', 'current', 'former'] as const;

/** The query parameters of a rotation. */
@Documented('The requested rotation')
export class RotationQuery {
  @Optional()
  @IsString()
  @IsIn(ROTATED_KINDS)
  @Schema({ description: 'The kind of the key', default: 'token-signing', examples: ['checkpoint-signing'] })
  readonly kind?: (typeof ROTATED_KINDS)[number];

  @Optional()
  @IsBoolean()
  @Schema({
    description:
      'Whether the new key for tokens, or the one that is announced, signs at once. Use it if somebody else may know the current ' +
      'key. Keys for checkpoints always sign at once',
    default: false,
  })
  readonly now?: boolean;
}

/** A key in a response. */
@Documented('A key of the service, without its secret')
export class ServiceKey {
  @IsString()
  @Described(
    'The thumbprint of a key that signs tokens or checkpoints, or the name of any other key',
    'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  )
  readonly id!: string;

  @IsString()
  @Described(
    'What the key is for. token-signing: it signs access tokens. checkpoint-signing: it signs checkpoints of the log',
    'token-signing',
  )
  readonly kind!: string;

  @Optional()
  @DateTime()
  @Schema({
    description: 'When the key was created. Absent if an early version of the service created the key, or if it is in SIGNING_KEY_FILE',
    readOnly: true,
  })
  readonly createdAt?: string;

  @Optional()
  @DateTime()
  @Schema({ description: 'When an announced key for tokens signs, or signed first. Absent if the key signed at once', readOnly: true })
  readonly activatesAt?: string;

  @IsString()
  @Schema({
    description:
      'current: the service uses the key; announced: the key is published and signs from `activatesAt` on; former: the service only ' +
      'verifies earlier signatures with the key',
    'x-extensible-enum': STATUSES,
    examples: ['current'],
  })
  readonly status!: (typeof STATUSES)[number];
}

/** A page of keys. */
@Documented('A page of keys')
export class ServiceKeyCollection {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ServiceKey)
  @Schema({
    description:
      'The keys for tokens: RSA keys, newest first, then Ed25519 keys; then the keys for checkpoints, newest first, then the other keys by name',
  })
  readonly data!: readonly ServiceKey[];

  @Nested(() => Pagination)
  readonly pagination!: Pagination;
}
