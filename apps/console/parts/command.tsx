import { useEffect, useState } from 'preact/hooks';
import { remedyParts } from '../remedy-parts.js';

type CommandProps = {
  readonly text: string;
  /** The name of the button for screen readers, which otherwise has the text. */
  readonly label?: string;
};

/** A text to type somewhere, such as a command, with a button that copies it. */
export const Command = ({ text, label = `Copy ${text}` }: CommandProps) => {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <span class="command">
      <code>{text}</code>
      {/* Browsers have a clipboard only on https and localhost. */}
      {isSecureContext && (
        <button type="button" aria-label={label} onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}>
          {isCopied ? 'Copied' : 'Copy'}
        </button>
      )}
    </span>
  );
};

/** What helps, in the words of the service: commands in it stand out. */
export const Remedy = ({ text }: { readonly text: string }) => (
  <>{remedyParts(text).map((part) => (part.isCommand ? <Command key={part.text} text={part.text} /> : part.text))}</>
);
