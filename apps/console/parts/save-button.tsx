import { useState } from 'preact/hooks';
import { problemOf } from '../api.js';
import type { Problem } from '../shapes.js';
import { ProblemNote } from './problem.js';

/** Long enough for a browser to begin the download. */
const KEPT = 60_000;

const save = (name: string, text: string): void => {
  const href = URL.createObjectURL(new Blob([text]));
  Object.assign(document.createElement('a'), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), KEPT);
};

type Props = { readonly label: string; readonly name: string; readonly read: () => Promise<string> };

/** A button that reads a text and saves it as a file with this name. */
export const SaveButton = ({ label, name, read }: Props) => {
  const [isReading, setReading] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const press = async (): Promise<void> => {
    setReading(true);
    setProblem(null);
    try {
      save(name, await read());
    } catch (error) {
      setProblem(problemOf(error));
    }
    setReading(false);
  };
  return (
    <>
      <p class="tools">
        <button type="button" disabled={isReading} onClick={() => void press()}>
          {isReading ? 'Reading…' : label}
        </button>
      </p>
      {problem && <ProblemNote problem={problem} />}
    </>
  );
};
