import { useState } from 'preact/hooks';
import { readJson, RequestProblem, withQuery } from '../api.js';
import { hrefOf } from '../routes.js';
import { recognise } from '../search-text.js';
import type { Found, FoundBy, Problem } from '../shapes.js';
import { fieldText } from './field-text.js';
import { StreamLink } from './links.js';
import { ProblemNote } from './problem.js';
import { ALL, tenant, tenantQuery } from '../tenant.js';

const hrefOfFound = (found: Found): string =>
  found.kind === 'stream'
    ? hrefOf('streams', found.stream, tenantQuery(found.tenant))
    : hrefOf('requests', found.requestId, tenantQuery(found.tenant));

const BY: Readonly<Record<FoundBy, string>> = {
  stream: 'by its stream',
  id: 'by its id',
  event: 'by the id of one of its events',
  delivery: 'by the id of a delivery',
  number: 'by its number',
  name: 'by its name',
  username: 'by its username',
  email: 'by its email address',
};

const Results = ({ results }: { readonly results: readonly Found[] }) => (
  <ul class="results">
    {results.map((found) =>
      found.kind === 'stream' ? (
        <li key={found.stream}>
          <StreamLink stream={found.stream} tenant={found.tenant} isWhole /> <span class="quiet">found {BY[found.by]}</span>
        </li>
      ) : (
        <li key={found.requestId}>
          <a href={hrefOfFound(found)}>
            Request <code>{found.requestId}</code>
          </a>
        </li>
      ),
    )}
  </ul>
);

const REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;

/** A client can choose the id of its request, so only a search of the whole log finds it. */
const NothingFound = ({ text }: { readonly text: string }) => (
  <p>
    Nothing has this id or exact name.{' '}
    {REQUEST_ID.test(text) && (
      <a href={hrefOf('requests', text, { whole: 'yes' })}>
        Search the log for a request with the id <code>{text}</code>
      </a>
    )}
  </p>
);

/** One field for everything that one may look for. What is found alone opens at once. */
export const SearchField = () => {
  const [results, setResults] = useState<readonly Found[] | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [searched, setSearched] = useState('');

  const find = async (text: string): Promise<void> => {
    try {
      const { data } = await readJson<{ readonly data: readonly Found[] }>(
        withQuery('v1/audit/find', { text, tenant: tenant.get() === ALL ? ALL : undefined }),
      );
      const [only, ...others] = data;
      if (only !== undefined && others.length === 0) location.hash = hrefOfFound(only);
      else setResults(data);
    } catch (error) {
      if (error instanceof RequestProblem) setProblem(error.problem);
    }
  };

  const search = (typed: string): void => {
    setResults(null);
    setProblem(null);
    setSearched(typed.trim());
    const found = recognise(typed, new Date());
    if (found.kind === 'stream') location.hash = hrefOf('streams', found.stream);
    if (found.kind === 'time') location.hash = hrefOf('streams', undefined, { from: found.from, to: found.to });
    if (found.kind === 'text') void find(found.text);
  };

  return (
    <div class="search">
      <form
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          search(fieldText(event.currentTarget, 'text'));
        }}
      >
        <label for="search">Find</label>
        <input
          id="search"
          name="text"
          type="search"
          autocomplete="off"
          spellcheck={false}
          placeholder="order-0190…, Biscuit, 14:05"
          aria-describedby="search-help"
        />
        <button type="submit">Find</button>
      </form>
      <p id="search-help" class="quiet">
        The id or stream of a pet, order, payment, application, account or endpoint, a number, the exact name of a pet, a request id, or a
        time such as 14:05 or 2026-11-30.
      </p>
      <div role="status">
        {results !== null && (results.length === 0 ? <NothingFound text={searched} /> : <p>{results.length} found:</p>)}
      </div>
      {results !== null && <Results results={results} />}
      {problem !== null && <ProblemNote problem={problem} />}
    </div>
  );
};
