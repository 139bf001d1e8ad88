import { hrefOf } from '../routes.js';
import type { Pagination } from '../shapes.js';

type Props = {
  readonly pagination: Pagination;
  readonly page: string;
  readonly id?: string;
  readonly query: Readonly<Record<string, string>>;
  readonly label: string;
};

/** Links to the pages of a list. */
export const Pager = ({ pagination: { page: at, totalPages, totalItems }, page, id, query, label }: Props) => {
  if (totalPages < 2) return null;
  const link = (to: number, text: string) =>
    to < 1 || to > totalPages || to === at ? (
      <span class="quiet" aria-hidden="true">
        {text}
      </span>
    ) : (
      <a href={hrefOf(page, id, { ...query, page: to })}>{text}</a>
    );
  return (
    <nav class="pager" aria-label={label}>
      {link(1, 'First')}
      {link(at - 1, 'Previous')}
      <span>
        Page {at} of {totalPages} ({totalItems} in all)
      </span>
      {link(at + 1, 'Next')}
      {link(totalPages, 'Last')}
    </nav>
  );
};
