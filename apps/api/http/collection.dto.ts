import { Allow, IsInt, IsString, Max, Min } from 'class-validator';
import { Described, Documented, Optional, Schema } from './validation/rules.js';

/** The largest integer in a request, unless a section of the contract gives another bound (contract 3.5). */
export const INT32_MAX = 2_147_483_647;
export const DEFAULT_PAGE = 1;
/** The default number of items on a page (contract 7.2). */
export const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** The query parameters of a page. */
@Documented('The requested page')
export class PageQuery {
  @Optional()
  @IsInt()
  @Min(1)
  @Max(INT32_MAX)
  @Schema({ description: 'The number of the page, from 1', default: DEFAULT_PAGE, examples: [1] })
  readonly page?: number;

  @Optional()
  @IsInt()
  @Min(1)
  @Max(MAX_LIMIT)
  @Schema({ description: 'The maximum number of items on a page', default: DEFAULT_LIMIT, examples: [20] })
  readonly limit?: number;
}

@Documented('The position of a page in its collection')
export class Pagination {
  @IsInt()
  @Min(1)
  @Described('The number of the page, from 1', 1)
  readonly page!: number;

  @IsInt()
  @Min(1)
  @Described('The maximum number of items on a page', 20)
  readonly limit!: number;

  @IsInt()
  @Min(0)
  @Described('The number of items on all pages', 1)
  readonly totalItems!: number;

  @IsInt()
  @Min(0)
  @Described('The number of pages', 1)
  readonly totalPages!: number;
}

const NULLABLE_URI = { type: ['string', 'null'], format: 'uri' };

@Documented('Links to pages of the collection, with the same filters')
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
  @Schema({ ...NULLABLE_URI, description: 'The next page, or null on the last page' })
  readonly next!: string | null;

  @Allow()
  @Schema({ ...NULLABLE_URI, description: 'The previous page, or null on the first page' })
  readonly prev!: string | null;
}
