import { Allow, IsInt, IsString, Max, Min } from 'class-validator';
import { Described, Documented, Optional, Schema } from './validation/rules.js';

/** Whole numbers are 32 bits wide, as "integers (int32)" elsewhere in the interface. */
export const INT32_MAX = 2_147_483_647;
export const DEFAULT_PAGE = 1;
/** "limit integer 1 to 100, default 20" */
export const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** Which page of a collection is asked for. */
@Documented('Which page')
export class PageQuery {
  @Optional()
  @IsInt()
  @Min(1)
  @Max(INT32_MAX)
  @Schema({ description: 'Which page, from 1', default: DEFAULT_PAGE, examples: [1] })
  readonly page?: number;

  @Optional()
  @IsInt()
  @Min(1)
  @Max(MAX_LIMIT)
  @Schema({ description: 'How many items a page has at most', default: DEFAULT_LIMIT, examples: [20] })
  readonly limit?: number;
}

@Documented('Where a page stands in its collection')
export class Pagination {
  @IsInt()
  @Min(1)
  @Described('The page, from 1', 1)
  readonly page!: number;

  @IsInt()
  @Min(1)
  @Described('How many items a page has at most', 20)
  readonly limit!: number;

  @IsInt()
  @Min(0)
  @Described('How many items there are on all pages', 1)
  readonly totalItems!: number;

  @IsInt()
  @Min(0)
  @Described('How many pages there are', 1)
  readonly totalPages!: number;
}

const NULL_AT_THE_END = { type: ['string', 'null'], format: 'uri' };

@Documented('Links from a page to its neighbours, filters kept')
export class Links {
  @IsString()
  @Schema({ format: 'uri', description: 'This page' })
  readonly self!: string;

  @IsString()
  @Schema({ format: 'uri', description: 'The first page' })
  readonly first!: string;

  @IsString()
  @Schema({ format: 'uri', description: 'The last page' })
  readonly last!: string;

  @Allow()
  @Schema({ ...NULL_AT_THE_END, description: 'The next page; null on the last' })
  readonly next!: string | null;

  @Allow()
  @Schema({ ...NULL_AT_THE_END, description: 'The page before; null on the first' })
  readonly prev!: string | null;
}
