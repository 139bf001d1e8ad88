import { IsArray, IsIn, IsString, Matches, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import type { AdoptionFilter } from '../../../libs/application/adoptions/adoption.queries.js';
import type { NewAdoptionInput } from '../../../libs/application/adoptions/adoption.commands.js';
import { ADOPTION_STATUSES, type AdoptionStatus } from '../../../libs/domain/adoptions/adoption.events.js';
import { PageQuery, Pagination } from '../http/collection.dto.js';
import { PHONE, PHONE_WORDING, UUID, UUID_WORDING } from '../http/patterns.js';
import { AS_SENT, inputOf, NOT_IN_INPUT } from '../http/validation/input-mapping.js';
import {
  FreeText,
  DateTime,
  Described,
  Documented,
  EmailAddress,
  Nested,
  OneLine,
  Optional,
  ReadOnly,
  Schema,
} from '../http/validation/rules.js';

const PET_ID = { type: 'string', format: 'uuid', description: 'The pet', examples: ['0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60'] };
const MESSAGE = { description: 'What the applicant writes to the staff', examples: ['We have a garden and two quiet children.'] };
const STATUS = 'submitted, then approved, rejected, withdrawn or expired';

@Documented('The person who applies')
export class Applicant {
  @OneLine(1, 200)
  @Described('The full name', 'Ann Lee')
  readonly name!: string;

  @EmailAddress()
  @Described('The email address', 'ann@example.com')
  readonly email!: string;

  @Optional()
  @IsString()
  @Matches(PHONE, { message: PHONE_WORDING })
  @Described('The phone number: digits, spaces, plus signs, hyphens, parentheses and dots. An empty text counts as absent', '+14155550123')
  readonly phone?: string;
}

@Documented('A new application')
export class AdoptionRequest {
  @IsString()
  @Matches(UUID, { message: UUID_WORDING })
  @Schema(PET_ID)
  readonly petId!: string;

  /** Required if the request has no access token. */
  @Optional()
  @Nested(() => Applicant)
  readonly applicant?: Applicant;

  @Optional()
  @FreeText(1, 2_000)
  @Schema(MESSAGE)
  readonly message?: string;

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly id?: unknown;

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly status?: unknown;

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly createdAt?: unknown;

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly updatedAt?: unknown;

  @ReadOnly('Set from the header X-Tenant-ID. A value in a body is ignored')
  readonly tenantId?: unknown;
}

/** An application in a response. */
@Documented('An application')
export class Adoption {
  @IsString()
  @Schema({ format: 'uuid', readOnly: true, description: 'Set by the service' })
  readonly id!: string;

  @IsString()
  @Schema(PET_ID)
  readonly petId!: string;

  @Optional()
  @IsString()
  @Described('The subject of the access token with which the application was sent', 'ann')
  readonly userId?: string;

  @Optional()
  @Nested(() => Applicant)
  readonly applicant?: Applicant;

  @Optional()
  @FreeText(1, 2_000)
  @Schema(MESSAGE)
  readonly message?: string;

  @IsString()
  @IsIn(ADOPTION_STATUSES)
  @Schema({ description: STATUS, readOnly: true })
  readonly status!: AdoptionStatus;

  @Optional()
  @IsString()
  @Schema({
    description:
      'Why the application was rejected. declined: staff rejected the application; pet_adopted: another application was approved; ' +
      'pet_not_available: another order or application was faster. Later versions may add values',
    readOnly: true,
    examples: ['declined'],
  })
  readonly reason?: string;

  @DateTime()
  @Schema({ description: 'When the application was submitted', readOnly: true })
  readonly createdAt!: string;

  @DateTime()
  @Schema({ description: 'When the application last changed', readOnly: true })
  readonly updatedAt!: string;
}

/** The response to a submission. No other response has `manageToken` (contract 36.7). */
@Documented('An application that was just submitted')
export class SubmittedAdoption extends Adoption {
  @Optional()
  @IsString()
  @Schema({
    description:
      'A bearer token that can read, withdraw and delete only this application. The service does not store the token. ' +
      'A replayed response has another token. An OAuth client gets no manageToken.',
    readOnly: true,
  })
  readonly manageToken?: string;
}

@Documented('A page of applications')
export class AdoptionCollection {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Adoption)
  @Described('The applications on this page, newest first')
  readonly data!: readonly Adoption[];

  @Nested(() => Pagination)
  readonly pagination!: Pagination;
}

/** The query of a list of applications. */
export class AdoptionListQuery extends PageQuery {
  @Optional()
  @IsString()
  @IsIn(ADOPTION_STATUSES)
  @Described('Only applications with this status', 'submitted')
  readonly status?: AdoptionStatus;

  @Optional()
  @IsString()
  @Matches(UUID, { message: UUID_WORDING })
  @Schema({ format: 'uuid', description: 'Only applications for this pet' })
  readonly petId?: string;
}

/** Maps the body to the input of a new application, without `userId`: the controller adds it from the access token. */
export const newAdoptionInput = inputOf<AdoptionRequest, Omit<NewAdoptionInput, 'userId'>>({
  petId: ({ petId }) => petId.toLowerCase(),
  applicant: ({ applicant }) =>
    applicant && { name: applicant.name, email: applicant.email, ...(applicant.phone && { phone: applicant.phone }) },
  message: AS_SENT,
});

/** Maps the query to the filter of a list of applications. */
export const adoptionFilter = inputOf<AdoptionListQuery, AdoptionFilter>({
  status: AS_SENT,
  petId: ({ petId }) => petId?.toLowerCase(),
  page: NOT_IN_INPUT,
  limit: NOT_IN_INPUT,
});
