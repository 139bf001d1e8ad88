import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsInt, IsString, Max, Min, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import { LONGEST_URI } from '../../http/validation/formats.js';
import { MAX_METADATA } from '../../http/bodies/image-uploads.js';
import { Characters, Described, Documented, FreeText, Nested, OneLine, Optional, ReadOnly, Schema } from '../../http/validation/rules.js';
import { CLASSIC_STATUSES, type ClassicStatus } from './pet-status.js';

const STATUS = 'available: can be ordered; pending: reserved; sold: adopted';

/** The id of a category or a tag. The service only stores and returns this id, because some clients need one. */
class ClassicLabel {
  @Optional()
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  @Schema({ format: 'int64', description: 'Any number; it has no meaning to the service', examples: [1] })
  readonly id?: number;
}

@Documented('The category of a pet. Its name determines the species', 'Category')
export class ClassicCategory extends ClassicLabel {
  @Optional()
  @OneLine(1, 100)
  @Described('The name, such as Dogs', 'Dogs')
  readonly name?: string;
}

@Documented('A tag of a pet', 'Tag')
export class ClassicTag extends ClassicLabel {
  @Optional()
  @OneLine(1, 100)
  @Described('The name', 'gentle')
  readonly name?: string;
}

/** The members of a pet that a client sets. */
class ClassicPetFields {
  @OneLine(1, 50)
  @Described('The name', 'Luna')
  readonly name!: string;

  @Optional()
  @Nested(() => ClassicCategory)
  readonly category?: ClassicCategory;

  @Optional()
  @IsArray()
  @ArrayMaxSize(100)
  @Characters(0, LONGEST_URI, { each: true })
  @Described('The URLs of photos. Only this variant shows a text that is no http or https URL', ['https://pets.example.com/luna.jpg'])
  readonly photoUrls?: readonly string[];

  @Optional()
  @IsArray()
  @ArrayMaxSize(100)
  @ValidateNested({ each: true })
  @Type(() => ClassicTag)
  @Described('The tags')
  readonly tags?: readonly ClassicTag[];

  @Optional()
  @IsString()
  @IsIn(CLASSIC_STATUSES)
  @Described(STATUS, 'available')
  readonly status?: ClassicStatus;
}

@Documented('A new pet', 'PetRequest')
export class NewClassicPet extends ClassicPetFields {
  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly id?: unknown;
}

@Documented('The new state of a pet', 'ChangedPet')
export class ChangedClassicPet extends ClassicPetFields {
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  @Schema({ format: 'int64', description: 'The id of the pet to change', examples: [10] })
  readonly id!: number;
}

/** A pet in a response. */
@Documented('A pet', 'Pet')
export class ClassicPet extends ClassicPetFields {
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  @Schema({ format: 'int64', description: 'Set by the service; unique in the tenant', examples: [10] })
  readonly id!: number;
}

@Documented('The members of a pet to change')
export class ClassicPetForm {
  @Optional()
  @OneLine(1, 50)
  @Schema({ type: 'string', description: 'The new name', examples: ['Luna'] })
  readonly name?: string;

  @Optional()
  @IsString()
  @IsIn(CLASSIC_STATUSES)
  @Schema({ type: 'string', description: 'The new status', examples: ['sold'] })
  readonly status?: ClassicStatus;
}

@Documented('A text about an image')
export class ClassicUploadQuery {
  @Optional()
  @FreeText(0, MAX_METADATA)
  @Schema({ type: 'string', description: 'A text about the image, which is stored with the image', examples: ['By the window'] })
  readonly additionalMetadata?: string;
}

@Documented('The statuses to find')
export class ClassicStatusQuery {
  @Optional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(10)
  @IsString({ each: true })
  @IsIn(CLASSIC_STATUSES, { each: true })
  @Schema({ type: 'array', description: 'One status or several', default: ['available'], examples: [['available']] })
  readonly status?: readonly ClassicStatus[];
}

@Documented('The tags to find')
export class ClassicTagsQuery {
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  @Schema({ type: 'array', description: 'The names of tags. A pet is found if it has at least one of the tags', examples: [['gentle']] })
  readonly tags!: readonly string[];
}
