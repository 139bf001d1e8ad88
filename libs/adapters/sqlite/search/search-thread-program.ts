/**
 * The program of the thread that SearchThread starts. Its connection sees every commit that the main thread knew when it sent the
 * message. A damaged row makes an index unusable until the documents are replaced.
 */
import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { SearchProgram, type SearchAnswer } from '../../../search/search-program.js';
import { answerQuestions } from '../../../threads/answer-questions.js';
import type { Row } from '../documents/row-checksum.js';
import { FolderChanges } from './folder-changes.js';
import type { FolderQuestion, SearchedTable, SearchNotice, SearchThreadData } from './search-messages.js';

const { file, pragmas } = workerData as SearchThreadData;
const database = new DatabaseSync(new URL(file));
database.exec(pragmas);
const changes = new FolderChanges(database);
const program = new SearchProgram<SearchedTable>(changes, null);

const answer = (question: FolderQuestion): Promise<SearchAnswer> | readonly Row[] =>
  question.kind === 'rows' ? changes.rows(question.sql, question.values) : program.answer(question.search);

const onNotice = (notice: SearchNotice): void => {
  if (notice.kind === 'changed') changes.onChanged(notice.table, notice.keys);
  else if (notice.kind === 'created') program.start(notice.of);
  else if (notice.kind === 'replaced') {
    program.drop(notice.table);
    changes.onReplaced(notice.table);
  } else {
    program.rename(notice.from, notice.to);
    changes.onRenamed(notice.from, notice.to);
  }
};

answerQuestions<FolderQuestion, SearchNotice>({ answer, onNotice, close: () => database.close() });
