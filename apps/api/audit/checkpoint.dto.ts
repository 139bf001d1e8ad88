import { IsArray, IsIn, IsInt, IsString, Min, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import { Pagination } from '../http/collection.dto.js';
import { DateTime, Described, Documented, Nested, Schema } from '../http/validation/rules.js';

const DIGEST = 'vwCqT2GKQyJ0mPpyEZ1mEjHBOhVqmk6G1wJb8kq2F3A';

/** A checkpoint in a response. */
@Documented('A statement of the service about the first `size` events of the log. docs/audit.md describes every field')
export class Checkpoint {
  @IsString()
  @IsIn(['petstore-checkpoint/1'])
  @Schema({ description: 'The version of the format that docs/audit.md describes' })
  readonly version!: 'petstore-checkpoint/1';

  @IsString()
  @Described('The id of the store', '01a0e5b0-0000-7000-8000-000000000001')
  readonly store!: string;

  @IsInt()
  @Min(0)
  @Described('The number of the checkpoint in the chain of checkpoints. The first checkpoint has the number 0', 1)
  readonly index!: number;

  @IsInt()
  @Min(1)
  @Described('The number of events that the checkpoint covers, counted from the first event of the log', 1200)
  readonly size!: number;

  @IsString()
  @Described('The Merkle root of the covered events (RFC 6962), base64url', DIGEST)
  readonly root!: string;

  @DateTime()
  @Schema({ description: 'When the checkpoint was made' })
  readonly time!: string;

  @IsString()
  @Described('The digest of the previous checkpoint. In the first checkpoint, an empty text', DIGEST)
  readonly previous!: string;

  @IsArray()
  @IsString({ each: true })
  @Schema({ description: 'For each tenant with events, a digest of its id and its events' })
  readonly tenants!: readonly string[];

  @IsString()
  @Described('The thumbprint of the key that signed the checkpoint (RFC 7638)', DIGEST)
  readonly keyId!: string;
}

/** A checkpoint with its signature in a response. */
@Documented('A checkpoint and its signature')
export class SignedCheckpoint {
  @Nested(() => Checkpoint)
  readonly checkpoint!: Checkpoint;

  @IsString()
  @Schema({ description: 'The Ed25519 signature of the checkpoint as canonical JSON (RFC 8785), base64url' })
  readonly signature!: string;
}

/** A page of checkpoints. */
@Documented('A page of checkpoints')
export class CheckpointCollection {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => SignedCheckpoint)
  @Schema({ description: 'The checkpoints on this page, oldest first' })
  readonly data!: readonly SignedCheckpoint[];

  @Nested(() => Pagination)
  readonly pagination!: Pagination;
}

/** A public key in a response. */
@Documented('A public key as a JWK (RFC 8037)', 'Public Key')
export class ProofKey {
  @IsString()
  @IsIn(['OKP'])
  @Schema({ description: 'The type of the key' })
  readonly kty!: 'OKP';

  @IsString()
  @IsIn(['Ed25519'])
  @Schema({ description: 'The curve' })
  readonly crv!: 'Ed25519';

  @IsString()
  @Described('The public key, base64url', DIGEST)
  readonly x!: string;

  @IsString()
  @Described('The thumbprint of the key (RFC 7638)', DIGEST)
  readonly kid!: string;
}

/** The public keys that verify checkpoints. */
@Documented('The public keys of checkpoints')
export class ProofKeySet {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ProofKey)
  @Schema({ description: 'The keys, newest first. Former keys verify the checkpoints that they have signed' })
  readonly keys!: readonly ProofKey[];
}
