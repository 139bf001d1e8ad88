import { useEffect, useState } from 'preact/hooks';
import { remedyParts } from '../remedy-parts.js';

/** A command to type, with a button that copies it. */
export const Command = ({ text }: { readonly text: string }) => {
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
        <button
          type="button"
          aria-label={`Copy ${text}`}
          onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
        >
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
