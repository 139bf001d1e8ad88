import { workerData, type MessagePort } from 'node:worker_threads';
import { reasonOf } from '../eventsourcing/reason.js';
import type { FromThread, Reply, ToThread } from './thread-messages.js';

/** The program of a thread. Messages arrive one at a time, in the order in which they were sent. */
type ThreadProgram<Question, Notice> = {
  answer(question: Question): unknown;
  onNotice?(notice: Notice): void;
  /** Releases what keeps the thread alive. */
  close(): void | Promise<void>;
};

const { port } = workerData as { readonly port: MessagePort };

/** Tells the main thread something, in order with the answers. */
export const tellMainThread = <Told>(told: Told): void => port.postMessage({ told } satisfies FromThread<Told>);

/** Answers the messages of AnsweringThread, until it sends `stop`. */
export const answerQuestions = <Question, Notice = never>(program: ThreadProgram<Question, Notice>): void => {
  const reply = async (question: Question): Promise<Omit<Reply, 'id'>> => {
    try {
      return { answer: await program.answer(question) };
    } catch (error) {
      return { failed: reasonOf(error) };
    }
  };
  const stop = async (): Promise<void> => {
    await program.close();
    port.close();
  };
  port.on('message', (message: ToThread<Question, Notice>) => {
    if (message.kind === 'stop') void stop();
    else if (message.kind === 'notice') program.onNotice?.(message.notice);
    else void reply(message.question).then((replied) => port.postMessage({ id: message.id, ...replied } satisfies Reply));
  });
};
