/** A part of the result is missing, such as a delivery or a line of output. For the command `health`: no process is live. */
export const EXIT_INCOMPLETE = 1;

/** The command was rejected because of its arguments, the settings, the folder or the servers. */
export const EXIT_REJECTED = 2;

/** The history is altered or unreadable (contract 27.6). The command did nothing, or omitted the affected streams. */
export const EXIT_HISTORY = 3;
