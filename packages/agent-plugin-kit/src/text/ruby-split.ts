/**
 * Splits text as `String#split` of Ruby does: configurations rely on its treatment of blanks and of empty parts.
 */

/** Drops trailing empty parts; a single blank stands for any white space. */
export function rubySplit(text: string, separator: string): string[] {
  const parts = splitAll(text, separator);
  while (parts.length > 0 && parts[parts.length - 1] === '') parts.pop();
  return parts;
}

function splitAll(text: string, separator: string): string[] {
  if (separator === ' ') return text.replace(/^[\t-\r ]+/, '').split(/[\t-\r ]+/);
  // By code points: half of a surrogate pair is no character.
  return separator === '' ? [...text] : text.split(separator);
}
