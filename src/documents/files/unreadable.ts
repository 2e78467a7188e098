/** Defines the error of a file that a reader does not read. */

/** Thrown by readers; the message is the reason for which the file is skipped. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}
