/** Text of whatever was thrown: the message of an error, and what else is thrown as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
