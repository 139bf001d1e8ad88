import { IsArray, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import { Links, Pagination } from '../http/collection.dto.js';
import { Described, Documented, Nested, Optional } from '../http/validation/rules.js';
import { Pet } from './pet.dto.js';

/** The result of a list. */
@Documented('A page of pets', 'Pet Collection')
export class PetCollection {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Pet)
  @Described('The pets on this page')
  readonly data!: readonly Pet[];

  @Nested(() => Pagination)
  readonly pagination!: Pagination;

  @Optional()
  @Nested(() => Links)
  readonly links?: Links;
}

/** The result of a search. It has no links (contract 7.1), because the criteria are in the body, and a link is only a URL. */
@Documented('A page of pets that a search found')
export class PetSearchResult {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Pet)
  @Described('The pets on this page')
  readonly data!: readonly Pet[];

  @Nested(() => Pagination)
  readonly pagination!: Pagination;
}
