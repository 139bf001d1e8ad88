import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

let isFirst = true;

type Props = {
  readonly title: string;
  /** What the page is about, for somebody who sees it for the first time. */
  readonly lead?: ComponentChildren;
  readonly children?: ComponentChildren;
};

/** The frame of a page. After a navigation its heading gets the focus, so that screen readers begin there. */
export const Page = ({ title, lead, children }: Props) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Console · Pet Store`;
    // Not when the page was opened: the reader begins at its top anyway.
    if (!isFirst) heading.current?.focus();
    isFirst = false;
  }, [title]);
  return (
    <>
      <h1 tabIndex={-1} ref={heading}>
        {title}
      </h1>
      {lead !== undefined && <p class="lead">{lead}</p>}
      {children}
    </>
  );
};
