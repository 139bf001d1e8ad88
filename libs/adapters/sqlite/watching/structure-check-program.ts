/** The program of the thread with which FolderWatch checks large files. A question is the name of a file, and the answer its damage. */
import { workerData } from 'node:worker_threads';
import { answerQuestions } from '../../../threads/answer-questions.js';
import { findDamage } from '../folder/store-files.js';

const { directory } = workerData as { readonly directory: string };

answerQuestions<string>({ answer: (file) => findDamage(directory, file), close: () => undefined });
