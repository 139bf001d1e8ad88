import { JSON_TYPE } from '../responses.js';
import { classicError, isClassicPath } from './classic-error.js';
import { isOpenaiPath, openaiError } from './openai-error.js';
import { PROBLEM_JSON, problemBody, type Problem } from './problem.js';

/** How an interface represents an error. `instance` is the path of the request. */
type ErrorForm = {
  readonly mediaType: string;
  readonly bodyOf: (problem: Problem, publicUrl: string, instance: string) => object;
};

/**
 * Returns the form of the errors at a path. Errors are problem documents, except in the classic variant and in the interface
 * for OpenAI's clients.
 */
export const errorFormOf = (path: string): ErrorForm => {
  if (isClassicPath(path)) return { mediaType: JSON_TYPE, bodyOf: classicError };
  if (isOpenaiPath(path)) return { mediaType: JSON_TYPE, bodyOf: openaiError };
  return { mediaType: PROBLEM_JSON, bodyOf: problemBody };
};
