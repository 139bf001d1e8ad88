/** A part of the result is missing, such as a delivery or a line of output, or no process is live. */
export const EXIT_INCOMPLETE = 1;

/** The command was rejected because of its arguments, the settings, the folder or the servers. */
export const EXIT_REJECTED = 2;

/** The history was altered. The command did nothing, or omitted the altered streams. */
export const EXIT_HISTORY = 3;
