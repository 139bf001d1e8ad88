import { Fragment, type ComponentChildren } from 'preact';

export type Column<Row> = {
  readonly head: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean;
  /** Whether the cell names its row. */
  readonly isHead?: boolean;
};

type Props<Row> = {
  readonly caption: string;
  /** Whether only screen readers get the caption, because a heading precedes the table. */
  readonly isCaptionHidden?: boolean;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row, index: number) => string;
  /** More about a row, below it and as wide as the table. */
  readonly more?: (row: Row) => ComponentChildren;
  readonly kind?: string;
  /** Whether the columns are so few and short that a narrow screen shows them beside one another. */
  readonly isCompact?: boolean;
};

const Cell = <Row,>({ column: { head, cell, isNumber, isHead }, row }: { readonly column: Column<Row>; readonly row: Row }) => {
  const look = isNumber === true ? 'number' : undefined;
  const content = <div>{cell(row)}</div>;
  // On a narrow screen cells are blocks, each with the head of its column before it. The roles keep what they are.
  return isHead === true ? (
    <th scope="row" role="rowheader" class={look} data-head={head}>
      {content}
    </th>
  ) : (
    <td role="cell" class={look} data-head={head}>
      {content}
    </td>
  );
};

/** A table with a caption and heads. On a narrow screen each row is a block, unless the table is compact. */
export const Table = <Row,>({ caption, isCaptionHidden, columns, rows, keyOf, more, kind = '', isCompact = false }: Props<Row>) => (
  <table role="table" class={`table ${isCompact ? '' : 'stacked'} ${kind}`}>
    <caption class={isCaptionHidden === true ? 'unseen' : undefined}>{caption}</caption>
    <thead role="rowgroup">
      <tr role="row">
        {columns.map(({ head, isNumber }) => (
          <th key={head} scope="col" role="columnheader" class={isNumber === true ? 'number' : undefined}>
            {head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody role="rowgroup">
      {rows.map((row, index) => {
        const detail = more?.(row);
        return (
          <Fragment key={keyOf(row, index)}>
            <tr role="row" class={detail ? 'has-more' : undefined}>
              {columns.map((column) => (
                <Cell key={column.head} column={column} row={row} />
              ))}
            </tr>
            {detail ? (
              <tr role="row" class="more">
                <td role="cell" colSpan={columns.length}>
                  {detail}
                </td>
              </tr>
            ) : null}
          </Fragment>
        );
      })}
    </tbody>
  </table>
);
